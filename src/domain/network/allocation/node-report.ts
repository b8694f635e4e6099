/**
 * Reports of nodes on the ids that they use (docs/design/networks.md, "Ids"): the data of a ConfigMap of its own, so that a change of it concerns
 * the cluster manager alone. A Node that reports names that ConfigMap in an annotation.
 */
import type { ConfigMap } from '../../api/config-map.ts';
import type { Node } from '../../api/node.ts';
import { NODE_REPORT_ANNOTATION, NODE_REPORT_PREFIX } from '../../basics/conventions.ts';
import { lazyByObject, lazyByObjectAndKey } from '../../basics/incremental/by-identity.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { stableHash } from '../../basics/names/stable-hash.ts';
import { claimKey, type IdUsage, type ReportingNode } from './claim-ids.ts';
import { idsWithMark } from './foreign-marks.ts';
import type { Claimant, IdClaim } from './id-claim.ts';
import { idRanges } from './id-range.ts';

type Data = Readonly<Record<string, string>>;

/** Longest name of an object in Kubernetes (RFC 1123 subdomain). */
const MAX_NAME = 253;

/** The name of the ConfigMap with the report of a node: with the name of the node or, where that is too long, a hash of it. */
export function nodeReportName(node: string): string {
  const plain = `${NODE_REPORT_PREFIX}-${node}`;
  return plain.length <= MAX_NAME ? plain : `${NODE_REPORT_PREFIX}.${stableHash(node)}`;
}

/** A removed node, by the claim of its id. */
const REMOVED = /^removed-node-([1-9][0-9]{0,8})$/;

const RANGE = /^(0|[1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?$/;

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The ids in a text such as `1-3,7`; undefined if it is malformed. */
export function idsIn(text: string): ReadonlySet<number> | undefined {
  if (text === '') return new Set();
  const parts = text.split(',').map((part) => {
    const [, first, last] = RANGE.exec(part) ?? [];
    return first === undefined ? undefined : numbers(Number(first), Number(last ?? first));
  });
  return parts.includes(undefined) ? undefined : new Set(parts.flatMap((part) => part ?? []));
}

/** Ids as a text such as `1-3,7`. */
export function idsText(ids: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const id of [...ids].sort((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** A report as the data of its ConfigMap. @param removed the claims of the nodes whose configuration is removed */
export function reportData(node: Claimant, networks: Iterable<number>, removed: readonly IdClaim[]): Data {
  return {
    node: node.name,
    uid: node.uid,
    networks: idsText(networks),
    ...Object.fromEntries(removed.map(({ id, name, uid }) => [`removed-node-${id}`, `${name} ${uid}`])),
  };
}

/** Key of what carries packets of pods past their locks on the node. */
const REDIRECTED_BY = 'redirected-by';

/** The implementation of the default network that carries packets of pods past their locks on a node, as data of its report. */
export function redirectionData(by: string | undefined): Data {
  return by === undefined ? {} : { [REDIRECTED_BY]: by };
}

/** The implementation that a report names so; undefined if it names none. */
export function redirectionIn(data: Data): string | undefined {
  const { [REDIRECTED_BY]: by = '' } = data;
  return /^[A-Za-z][A-Za-z ]{0,40}$/.test(by) ? by : undefined;
}

/** Key of the longest packet of a pod, in bytes, that fits through the tunnels of the node. */
const TUNNEL_MTU = 'tunnel-mtu';

/** The longest packet of a pod that fits through the tunnels of a node, in bytes, as data of its report. */
export function tunnelMtuData(bytes: number | undefined): Data {
  return bytes === undefined ? {} : { [TUNNEL_MTU]: String(bytes) };
}

/** The longest packet of a pod in a report, in bytes; undefined if it has none. */
export function tunnelMtuIn(data: Data): number | undefined {
  const { [TUNNEL_MTU]: bytes = '' } = data;
  return /^[1-9][0-9]{0,5}$/.test(bytes) ? Number(bytes) : undefined;
}

/** Key of the packet marks that rules of other programs match on the node. */
const FOREIGN_MARKS = 'foreign-marks';

/** Packet marks that rules of other programs match, each as ip-rule(8) has it, as data of a report: those that tell networks apart. */
export function foreignMarksData(marks: readonly string[]): Data {
  const telling = distinct(marks.filter((mark) => idsWithMark(mark).size > 0));
  return telling.length === 0 ? {} : { [FOREIGN_MARKS]: telling.join(',') };
}

/** Ids of the networks whose packet marks are among those in any report; undefined for a node without a report. */
export function idsWithForeignMarks(reports: readonly (Data | undefined)[]): ReadonlySet<number> {
  const texts = distinct(reports.flatMap((data) => data?.[FOREIGN_MARKS] ?? []));
  const marks = distinct(texts.flatMap((text) => text.split(',')));
  return new Set(marks.flatMap((mark) => [...idsWithMark(mark)]));
}

/** Why a network is not ready on a node. */
export interface NotReady {
  readonly reason: string;
  /** The failure and its place, in one line; absent where the reason says it all, and for most of many networks. */
  readonly message?: string;
}

/** On which networks a node has reported more than that it uses their ids, about a part of them. */
export interface Readiness {
  /** Ids of the networks of which OVN has processed all on the node. */
  readonly ready: ReadonlySet<number>;
  /** Why others are not ready, by id. */
  readonly notReady: ReadonlyMap<number, NotReady>;
}

/** Most characters of a message in a report. */
const MAX_MESSAGE = 256;

/** Most messages in a report: an object that the API server refuses for its size would report nothing at all. */
const MAX_MESSAGES = 100;

/** A message as it is reported: in one line, and as it is read again. */
function reportedMessage(message: string): string {
  const characters = Array.from(
    message
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  );
  return characters.length > MAX_MESSAGE ? `${characters.slice(0, MAX_MESSAGE - 1).join('')}…` : characters.join('');
}

/** The parts of networks that nodes report on, each with the beginning of its keys: rows in OVN, and Services in load balancers. */
const reportedParts = { rows: '', services: 'services-' } as const;

/** A part of networks that nodes report on. */
export type ReportedPart = keyof typeof reportedParts;

/** The readiness of a part of networks as data of a report: the first networks that are not ready have a message. */
export function readinessData({ ready, notReady }: Readiness, part: ReportedPart = 'rows'): Data {
  const begin = reportedParts[part];
  const failures = [...notReady].map(([id, { reason, message = '' }], index): readonly [string, string] => {
    const text = index < MAX_MESSAGES ? reportedMessage(message) : '';
    return [`${begin}not-ready-${id}`, text === '' ? reason : `${reason}: ${text}`];
  });
  return { ...(ready.size > 0 && { [`${begin}ready`]: idsText(ready) }), ...Object.fromEntries(failures) };
}

/** A network that is not ready, by its id. */
const NOT_READY = /^not-ready-([1-9][0-9]{0,3})$/;

/** Form of the reason of a condition (Kubernetes API reference, Condition v1 meta), perhaps with a message. */
const FAILURE = /^([A-Za-z][A-Za-z0-9_]{0,200})(?:: (.+))?$/su;

const readyIds = lazyByText((text: string) => idsIn(text) ?? new Set<number>());

const readinessOfPart = lazyByObjectAndKey((data: Data, part: ReportedPart): Readiness => {
  const begin = reportedParts[part];
  const notReady = Object.entries(data).flatMap(([key, value]) => {
    const [, id] = (key.startsWith(begin) && NOT_READY.exec(key.slice(begin.length))) || [];
    const [, reason, message] = FAILURE.exec(value) ?? [];
    return id === undefined || reason === undefined
      ? []
      : [[Number(id), { reason, ...(message !== undefined && { message: reportedMessage(message) }) }] as const];
  });
  return { ready: readyIds(data[`${begin}ready`] ?? ''), notReady: new Map(notReady) };
});

/** The readiness of a part of networks in a report: the same set of ids for the same text. */
export function readinessIn(data: Data, part: ReportedPart = 'rows'): Readiness {
  return readinessOfPart(data, part);
}

/** A report; undefined if it is malformed. */
const usageIn = lazyByObject((data: Data): IdUsage | undefined => {
  const networks = idsIn(data['networks'] ?? 'none');
  if (networks === undefined) return undefined;
  const removedNodes = Object.entries(data).flatMap(([key, value]) => {
    const [, id] = REMOVED.exec(key) ?? [];
    const [name = '', uid = ''] = value.split(' ');
    return id === undefined ? [] : [claimKey({ id: Number(id), name, uid })];
  });
  return { networks, removedNodes: new Set(removedNodes) };
});

/** A node whose report is missing or cannot be read may use everything. */
const unknown: IdUsage = {
  networks: new Set(numbers(idRanges.network.first, idRanges.network.last)),
  removedNodes: new Set(),
  isUnknown: true,
};

const byName = lazyByObjectAndKey(
  (configMaps: readonly ConfigMap[], namespace: string): ReadonlyMap<string, ConfigMap> =>
    new Map(
      configMaps
        .filter(({ metadata }) => metadata.namespace === namespace)
        .map((configMap) => [configMap.metadata.name, configMap]),
    ),
);

/** Whether a Node says that it reports: since then it may use ids, whether its report is there or not. */
export function isReporting({ metadata: { name, annotations } }: Node): boolean {
  return annotations?.[NODE_REPORT_ANNOTATION] === nodeReportName(name);
}

/** The data of the report of a node; undefined if there is none, or if it is that of a former node of its name. */
export function storedReport(
  { metadata: { name, uid = '' } }: Node,
  configMaps: readonly ConfigMap[],
  namespace: string,
): Data | undefined {
  const { data } = byName(configMaps, namespace).get(nodeReportName(name)) ?? {};
  return data?.['node'] === name && data['uid'] === uid ? data : undefined;
}

/** The ids of networks in the report of a node; undefined if there is no such report. */
export function reportedNetworks(data: Data | undefined): ReadonlySet<number> | undefined {
  return data && usageIn(data)?.networks;
}

/** The claims of removed nodes in the report of a node, as `claimKey` names them; none if there is no such report. */
export function reportedRemovals(data: Data | undefined): ReadonlySet<string> {
  return (data && usageIn(data)?.removedNodes) ?? new Set();
}

function reportOf(node: Node, data: Data | undefined): IdUsage | undefined {
  if (data !== undefined) return usageIn(data) ?? unknown;
  return isReporting(node) ? unknown : undefined;
}

/**
 * The nodes of a cluster and their reports. A node that has neither a report nor says that it reports has used nothing. One whose report was deleted
 * may use everything until it has written it again.
 */
export function reportingNodes(
  nodes: readonly Node[],
  configMaps: readonly ConfigMap[],
  namespace: string,
): readonly ReportingNode[] {
  return nodes.map((node) => {
    const { name, uid = '' } = node.metadata;
    const report = reportOf(node, storedReport(node, configMaps, namespace));
    return { name, uid, ...(report && { report }) };
  });
}

function textOf({ name, uid, report }: ReportingNode): string {
  return JSON.stringify([name, uid, ...(report ? [idsText(report.networks), [...report.removedNodes].sort()] : [])]);
}

/** The reports of nodes as texts, in order: two lists of nodes, each in any order, have the same ones if the nodes and what they use are the same. */
export function reportTexts(nodes: readonly ReportingNode[]): readonly string[] {
  return nodes.map(textOf).sort();
}
