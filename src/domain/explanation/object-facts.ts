/** Facts from objects of the cluster: activity, selection, advertisements. */
import type { Network } from '../network/network.ts';
import type { LabelSelector } from '../api/label-selector.ts';
import type { Node } from '../api/node.ts';
import { by } from '../basics/names/ordering.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { namespacesWith } from '../plan/view/provided-networks.ts';
import { type Advertisement, frrConfigurationName } from '../routing-domain/advertisement.ts';
import { activates } from '../selection/active-nodes.ts';
import { selects } from '../selection/label-selector.ts';
import { selectorSentence } from '../status/sentences/selector-sentence.ts';
import type { Fact } from './explanation.ts';

/** A selector as people write it on a command line. @param everything what it selects if it is empty */
export function selectorText(selector: LabelSelector | undefined, everything: string): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) =>
    values.length === 0 ? `${key} ${operator}` : `${key} ${operator} (${values.join(', ')})`,
  );
  return [...labels, ...expressions].sort().join(', ') || everything;
}

/** Where a network is active. */
export interface Activity {
  readonly network: Network;
  readonly isActive: boolean;
  /** Names of the namespaces whose pods use it. */
  readonly namespaces: readonly string[];
}

/** The activity of a network on a node. */
export function activityOf(view: ClusterView, network: Network, node: string): Activity {
  const object = view.networks.find(({ metadata }) => metadata === network.metadata);
  if (object !== undefined) {
    return { network, isActive: view.isActive(object, node), namespaces: view.namespaces(object) };
  }
  const namespaces = namespacesWith(network, view.snapshot);
  return { network, isActive: view.activeNodes(network).includes(node), namespaces };
}

/** Why the network is active on the node or not. */
export function activityFacts(view: ClusterView, activity: Activity, node: Node): readonly Fact[] {
  const own = activity.network.key;
  if (!view.settings.dynamicNetworks)
    return [{ depth: 0, text: 'active on every node: networks are not dynamic', sources: [own] }];
  if (!activity.isActive) {
    return [
      {
        depth: 0,
        text: 'not active: no pod of its namespaces runs on the node outside the host network',
        sources: [own],
      },
    ];
  }
  const namespaces = new Set(activity.namespaces);
  const [first] = view.snapshot.pods
    .filter((pod) => pod.spec.nodeName === node.metadata.name && activates(pod))
    .map(({ metadata }) => ({ namespace: metadata.namespace ?? 'default', name: metadata.name }))
    .filter(({ namespace }) => namespaces.has(namespace))
    .map(({ namespace, name }) => `Pod/${namespace}/${name}`)
    .sort();
  const text =
    first === undefined
      ? 'active: a pod of its namespaces ran here until a short time ago'
      : 'active: a pod of its namespaces runs here';
  return [{ depth: 0, text, sources: [first ?? own] }];
}

/** Which item of the Uplink's table applies to the node. */
export function selectionFacts(view: ClusterView, uplink: string, node: Node): readonly Fact[] {
  const table = view.table(uplink);
  const source = [`Uplink/${uplink}`];
  if (table === undefined) {
    return view.unreadable('uplinks').has(uplink)
      ? [{ depth: 0, text: `uplink ${uplink} cannot be read by this version`, sources: source }]
      : [{ depth: 0, text: `uplink ${uplink} does not exist`, sources: [] }];
  }
  if (table.unclear !== undefined) {
    return [{ depth: 0, text: `uplink ${uplink}: ${selectorSentence(table.unclear)}`, sources: source }];
  }
  const applying = table.rows
    .map(({ config, selector }, index) => ({ config, selector, index }))
    .filter(({ selector }) => selects(selector, node.metadata.labels));
  if (applying.length === 0) {
    const labels = Object.entries(node.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    return [
      { depth: 0, text: `uplink ${uplink}: no item of nodeConfigs applies to the node`, sources: source },
      {
        depth: 1,
        text: `labels of the node: ${labels.sort().join(', ') || 'none'}`,
        sources: [`Node/${node.metadata.name}`],
      },
    ];
  }
  return applying.map(({ config, index }) => ({
    depth: 0,
    text: `uplink ${uplink}, nodeConfigs[${index}] (${selectorText(config.nodeSelector, 'every node')}): interface ${config.hostInterfaceName}`,
    sources: source,
  }));
}

/** Why an advertisement that selects the network does not count on the node; undefined if it does. */
function disregarded({ nodeSelector, frrConfigurations }: Advertisement, node: Node): string | undefined {
  if (!selects(nodeSelector, node.metadata.labels)) return 'its nodeSelector does not select the node';
  if (frrConfigurations.length === 0) return 'it selects no FRRConfiguration';
  const applies = frrConfigurations.some(({ nodeSelector: selector }) => selects(selector, node.metadata.labels));
  return applies ? undefined : 'none of its FRRConfigurations applies to the node';
}

/** The RouteAdvertisements that decided the routing domain, and those that select the network but did not. */
export function advertisementFacts(view: ClusterView, network: Network, node: Node): readonly Fact[] {
  const facts = view.advertisements(network).map((advertisement): Fact => {
    const { metadata, spec } = advertisement.routeAdvertisements;
    const source = `RouteAdvertisements/${metadata.name}`;
    const why = disregarded(advertisement, node);
    if (why !== undefined) return { depth: 1, text: `${source} does not count: ${why}`, sources: [source] };
    const configurations = advertisement.frrConfigurations
      .filter(({ nodeSelector }) => selects(nodeSelector, node.metadata.labels))
      .map(({ object }) => frrConfigurationName(object));
    return {
      depth: 1,
      text: `targetVRF ${spec.targetVRF || 'default'} by ${source}, with FRRConfiguration ${configurations.join(', ')}`,
      sources: [source, ...configurations.map((name) => `FRRConfiguration/${name}`)],
    };
  });
  if (facts.length === 0) return [{ depth: 1, text: 'no RouteAdvertisements select the network', sources: [] }];
  return [...facts].sort(by(({ text }) => text));
}
