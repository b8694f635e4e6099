/**
 * A case as a person reads it: one line a thing, what is as usual left out, and nothing that nothing refers to.
 */
import { emptyLedger, type Ledger } from '../domain/ownership/ledger.ts';
import { byName } from '../domain/ordering.ts';
import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot, Rule } from '../domain/snapshot/node-snapshot.ts';
import { defaultSettings } from '../domain/snapshot/settings.ts';
import { completeNode } from './brief-node.ts';
import type { Case } from './case.ts';

/** Names as long as Kubernetes allows fill the screen and say nothing more than their beginning and their length. */
function shortened(text: string): string {
  return text.replace(/[\w.-]{60,}/g, (name) => `${name.slice(0, 12)}…(${name.length} characters)`);
}

function line(name: string, value: object): string {
  const text = JSON.stringify(value);
  return shortened(text === '{}' ? name : `${name} ${text}`);
}

/** The entries of a value that differ from those of what is usual. */
function unusual(value: object, usual: object): object {
  const known = new Map<string, string | undefined>(
    Object.entries(usual).map(([key, item]: [string, unknown]) => [key, JSON.stringify(item)]),
  );
  return Object.fromEntries(Object.entries(value).filter(([key, item]) => JSON.stringify(item) !== known.get(key)));
}

interface AnyObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: object;
  readonly status?: object;
}

function objectLine({ kind, metadata: { name, namespace, ...metadata }, spec, status }: AnyObject): string {
  const path = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  return line(path, { ...metadata, ...(spec && { spec }), ...(status && { status }) });
}

function clusterLines(cluster: ClusterSnapshot): readonly string[] {
  const networks = new Set(cluster.clusterUserDefinedNetworks.map(({ metadata }) => metadata.name));
  const isNeeded = ({ kind, metadata }: AnyObject) => {
    if (kind === 'Namespace') return networks.has(metadata.name);
    return kind !== 'NetworkAttachmentDefinition' || networks.has(metadata.namespace ?? '');
  };
  return Object.values(cluster).flatMap((list: readonly AnyObject[]) => list.filter(isNeeded).map(objectLine));
}

/** What is usual of a link, a port and a bridge of the name, so that the rest can be told. */
function usualOf(name: string, index: number) {
  const { links, bridges } = completeNode({
    nodeName: name,
    links: [{ name, index, addresses: [{ address: name, prefixLength: 0 }] }],
    bridges: [{ name: '', ports: [{ name }] }],
  });
  return { link: links[0] ?? {}, address: links[0]?.addresses[0] ?? {}, port: bridges[0]?.ports[1] ?? {} };
}

/** The rules that are there besides those that every node has, and those of them that are not there. */
function ruleLines(rules: readonly Rule[], usual: readonly Rule[]): readonly string[] {
  const textOf = (rule: Rule) => JSON.stringify(Object.entries(rule).sort(([left], [right]) => byName(left, right)));
  const without = (list: readonly Rule[], others: readonly Rule[]) => {
    const known = new Set(others.map(textOf));
    return list.filter((rule) => !known.has(textOf(rule)));
  };
  return [
    ...without(rules, usual).map(({ priority, ...rule }) => line(`  rule ${priority}`, rule)),
    ...without(usual, rules).map(({ priority, ...rule }) => line(`  without rule ${priority}`, rule)),
  ];
}

function ledgerLines({ entries, ...ledger }: Ledger): readonly string[] {
  const rest = unusual(ledger, emptyLedger);
  return [
    ...(Object.keys(rest).length > 0 ? [line('  ledger', rest)] : []),
    ...entries.map(({ kind, ...entry }) => line(`  ledger: ${kind}`, entry)),
  ];
}

function nodeLines({ nodeName, links, bridges, ...node }: NodeSnapshot): readonly string[] {
  const { routes, nextHopObjects, rules, neighbours, ledger, ...rest } = node;
  const usual = completeNode({ nodeName });
  return [
    line(`on ${nodeName}:`, unusual(rest, usual)),
    ...links.map(({ addresses, ...link }) => {
      const usual = usualOf(link.name, link.index);
      const shown = addresses.map((address) => unusual(address, usual.address));
      return line(`  link ${link.name}`, {
        ...unusual(link, usual.link),
        ...(shown.length > 0 && { addresses: shown }),
      });
    }),
    ...bridges.flatMap(({ name: bridge, externalIds, ports }) => [
      line(`  bridge ${bridge}`, unusual({ externalIds }, { externalIds: {} })),
      ...ports.map((port) => line(`    port ${port.name}`, unusual(port, usualOf(port.name, 1).port))),
    ]),
    ...routes.map(({ destination, ...route }) => line(`  route ${destination}`, route)),
    ...nextHopObjects.map(({ id, ...object }) => line(`  next hop object ${id}`, object)),
    ...ruleLines(rules, usual.rules),
    ...neighbours.map(({ address, ...neighbour }) => line(`  neighbour ${address}`, neighbour)),
    ...ledgerLines(ledger),
  ];
}

/** A case in lines. */
export function describeCase({ cluster, nodes, settings }: Case): string {
  return [
    line('settings', unusual(settings, defaultSettings)),
    ...clusterLines(cluster),
    ...nodes.flatMap(nodeLines),
  ].join('\n');
}
