/**
 * The registration of a node: that it reports, which ids it uses, and where its tunnels end (docs/design/networks.md, "Ids").
 *
 * The order is what keeps networks apart: the node says that it reports once it has nothing of other nodes, then it reports, and only then others learn
 * its chassis. A part follows once the one before it is seen as stored.
 */
import { claimKey } from '../../network/allocation/claim-ids.ts';
import type { IdClaim, IdClaims } from '../../network/allocation/id-claim.ts';
import { isId } from '../../network/allocation/id-range.ts';
import {
  foreignMarksData,
  isReporting,
  nodeReportName,
  readinessData,
  readinessIn,
  redirectionData,
  reportData,
  reportedNetworks,
  reportedRemovals,
  storedReport,
  tunnelMtuData,
} from '../../network/allocation/node-report.ts';
import {
  CHASSIS_ID_ANNOTATION,
  CHASSIS_KEY,
  ENCAPSULATION_IPS_ANNOTATION,
  IDS_LABEL,
  MANAGEMENT_PORT_PREFIX,
  NODE_REPORT_ANNOTATION,
  TRANSIT_SWITCH_KEY_BASE,
} from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { by, byName, distinct } from '../../basics/names/ordering.ts';
import { redirectingNetwork } from '../../pods/redirecting-network.ts';
import { encapsulationAddressesOf } from '../../selection/node-network.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { tunnelAddressesOf } from '../../snapshot/tunnel-addresses.ts';
import { tunnelMtuOf } from '../../snapshot/tunnel-mtu.ts';
import { labelValue } from '../../basics/names/label-value.ts';
import type { NodeInput } from '../node-input.ts';
import { foreignMarks } from '../warnings/rule-warnings.ts';
import { storedClaims } from '../view/stored-claims.ts';
import { reachedChassis } from '../view/peer-nodes.ts';
import type { PlannedNetwork } from '../parts/part.ts';

/** The desired report of a node: a ConfigMap. */
export interface NodeReportObject {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its Node, with which it is deleted. */
  readonly owner: { readonly name: string; readonly uid: string };
  readonly data: Readonly<Record<string, string>>;
}

/** Annotations of a Node that its agent sets. */
export interface NodeAnnotations {
  readonly node: string;
  readonly uid: string;
  /** All that it sets; those of others stay. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The registration of a node, before it is known which networks are ready. */
export interface PlannedRegistration {
  /** The report without readiness, whether it is stored or not; absent while the node does not say that it reports, or is not known well enough. */
  readonly report?: NodeReportObject;
  /** The data of the stored report. */
  readonly stored?: NodeReportObject['data'];
  /** Present if they are not stored. */
  readonly annotations?: NodeAnnotations;
}

/** A key of a map in a column. */
function option({ columns }: NorthboundRow, column: 'options' | 'other_config', key: string): string | undefined {
  const value = columns[column];
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Readonly<Record<string, string>>)[key]
    : undefined;
}

/** The report of the node as it is stored. */
const storedReportOf = ({ object, view: { snapshot, settings } }: NodeInput) =>
  storedReport(object, snapshot.configMaps, settings.namespace);

/** Ids in the rows of provided networks, found once for the same rows. */
const idsInRows = lazyByObject((northbound: readonly NorthboundRow[]) => {
  const rows = northbound.filter(({ isOfZone }) => isOfZone === true);
  return {
    networks: distinct(rows.flatMap(({ network }) => network ?? [])),
    /** Ids of networks by name: their transit switches have them. */
    ofNetworks: new Map(
      rows.flatMap((row) => {
        const key = row.table === 'Logical_Switch' ? option(row, 'other_config', 'requested-tnl-key') : undefined;
        return row.network === undefined || key === undefined
          ? []
          : [[row.network, Number(key) - TRANSIT_SWITCH_KEY_BASE] as const];
      }),
    ),
    /** Ids of the nodes that ports of networks lead to, as text. */
    ofNodes: new Set(
      rows
        .filter(({ columns }) => columns['type'] === 'remote')
        .map((port) => option(port, 'options', 'requested-tnl-key')),
    ),
  };
});

/** The ids of the networks of which OVN has rows on the node. */
function networkIdsInRows({ node: { snapshot } }: NodeInput, claims: IdClaims): readonly number[] {
  const { networks, ofNetworks } = idsInRows(snapshot.northbound);
  return networks.flatMap((network) => {
    const id = ofNetworks.get(network);
    // Without its transit switch it may be any network of its name.
    return id ?? claims.network.filter(({ name }) => name === network).map((claim) => claim.id);
  });
}

const MANAGEMENT_PORT = new RegExp(`^${MANAGEMENT_PORT_PREFIX}([1-9][0-9]{0,3})$`);

/** The ids of the networks whose management ports are on the node. */
function idsOfManagementPorts({ node: { snapshot } }: NodeInput): readonly number[] {
  const interfaces = snapshot.bridges.flatMap(({ ports }) => ports.flatMap((port) => port.interfaces));
  return [...snapshot.links, ...interfaces].flatMap(({ name }) => {
    const [, id] = MANAGEMENT_PORT.exec(name) ?? [];
    return id === undefined ? [] : [Number(id)];
  });
}

/**
 * The ids of networks that the node has anything of or is about to use. One that was reported stays until its claim is released, and it is known that
 * nothing of it is left: as no other network can have had it before, it does not matter how late a shorter report is stored.
 */
function usedNetworks(provided: readonly PlannedNetwork[], claims: IdClaims, input: NodeInput): readonly number[] {
  const inForce = new Set(claims.network.flatMap(({ id, released }) => (released === true ? [] : [id])));
  const stored = reportedNetworks(storedReportOf(input)) ?? [];
  const used = [
    ...provided.flatMap(({ onNode }) => onNode.networkId ?? []),
    ...networkIdsInRows(input, claims),
    ...idsOfManagementPorts(input),
    ...[...stored].filter((id) => inForce.has(id) || input.node.snapshot.isNorthboundOutdated === true),
  ];
  return [...new Set(used)].filter((id) => isId('network', id));
}

/**
 * The claims of the deleted nodes of which the node has nothing any more: neither a chassis, nor ports of networks. While these cannot be read, those that
 * it has reported: what is deleted is not added again.
 */
function removedNodes(claims: IdClaims, reached: ReadonlyMap<string, string>, input: NodeInput): readonly IdClaim[] {
  const { chassis, northbound, isNorthboundOutdated, isSouthboundOutdated } = input.node.snapshot;
  if (isNorthboundOutdated === true || isSouthboundOutdated === true) {
    const stored = reportedRemovals(storedReportOf(input));
    return claims.node.filter((claim) => claim.released === true && stored.has(claimKey(claim)));
  }
  // A node that was registered again has the chassis of the former one of its name.
  const former = new Set(
    chassis.flatMap(({ name, node }) => (node === undefined || reached.get(node) === name ? [] : [node])),
  );
  const { ofNodes } = idsInRows(northbound);
  return claims.node.filter(
    ({ id, name, released }) => released === true && !former.has(name) && !ofNodes.has(String(id)),
  );
}

/** The chassis of the node and the addresses where its tunnels end, as annotations; undefined while it has none. */
function tunnelAnnotations({ node: { snapshot } }: NodeInput): Readonly<Record<string, string>> | undefined {
  const { [CHASSIS_KEY]: chassis = '' } = snapshot.switchExternalIds;
  const addresses = tunnelAddressesOf(snapshot);
  if (chassis === '' || addresses.length === 0) return undefined;
  return {
    [CHASSIS_ID_ANNOTATION]: chassis,
    [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify(addresses.toSorted(byName)),
  };
}

/** Whether a Node has published where the tunnels end, in whichever order. */
function isPublished(tunnels: Readonly<Record<string, string>>, { object }: NodeInput): boolean {
  const published = { metadata: { annotations: tunnels } } as unknown as NodeInput['object'];
  const addressesIn = (node: NodeInput['object']) => encapsulationAddressesOf(node).toSorted(byName).join();
  return (
    object.metadata.annotations?.[CHASSIS_ID_ANNOTATION] === tunnels[CHASSIS_ID_ANNOTATION] &&
    addressesIn(object) === addressesIn(published)
  );
}

/** How Services of networks are served, as data of the report: what is not known now is as it was reported. */
function servicesData(provided: readonly PlannedNetwork[], input: NodeInput): NodeReportObject['data'] {
  const { ready, notReady } = readinessIn(storedReportOf(input) ?? {}, 'services');
  const served = new Map(input.view.snapshot.servedNetworks?.map((each) => [each.networkName, each]));
  const ids = provided
    .flatMap(({ onNode: { networkName, networkId } }) =>
      networkId === undefined ? [] : [{ id: networkId, now: served.get(networkName) }],
    )
    .sort((left, right) => left.id - right.id);
  const failureOf = ({ id, now }: (typeof ids)[number]) => (now === undefined ? notReady.get(id) : now.failure);
  return readinessData(
    {
      ready: new Set(
        ids
          .filter((each) => failureOf(each) === undefined && (each.now !== undefined || ready.has(each.id)))
          .map(({ id }) => id),
      ),
      notReady: new Map(
        ids.flatMap((each) => {
          const failure = failureOf(each);
          return failure === undefined ? [] : [[each.id, failure] as const];
        }),
      ),
    },
    'services',
  );
}

/** Decides what the node tells the cluster now; undefined if there is nothing, or something has to be removed before. */
export function nodeRegistration(
  provided: readonly PlannedNetwork[],
  input: NodeInput,
): PlannedRegistration | undefined {
  const { view, object, node, settings } = input;
  const { name, uid } = object.metadata;
  const { isNorthboundRead, isNorthboundOutdated, isSouthboundOutdated, chassis } = node.snapshot;
  if (settings.providedNetworks === 'none' || !settings.ovn || uid === undefined) return undefined;
  const announcement = { [NODE_REPORT_ANNOTATION]: nodeReportName(name) };
  const withAnnotations = (annotations: NodeAnnotations['annotations']) => ({
    annotations: { node: name, uid, annotations },
  });
  if (!isReporting(object)) {
    // Nobody has waited for a node that was registered again: what it has of others may be of nodes that are gone.
    const hasOthers = chassis.some((each) => each.node !== undefined);
    return hasOthers || isSouthboundOutdated === true ? undefined : withAnnotations(announcement);
  }
  const stored = storedReportOf(input);
  // Which ids a node uses whose rows were never read is known by its report alone.
  if (isNorthboundOutdated === true ? reportedNetworks(stored) === undefined : isNorthboundRead !== true)
    return undefined;
  const { claims } = storedClaims(view.snapshot, settings);
  const data = {
    ...reportData(
      { name, uid },
      usedNetworks(provided, claims, input),
      removedNodes(claims, reachedChassis(view), input),
    ),
    ...redirectionData(redirectingNetwork(node.snapshot.links)),
    ...tunnelMtuData(tunnelMtuOf(node.snapshot)?.bytes),
    ...foreignMarksData(foreignMarks(node.snapshot)),
    ...servicesData(provided, input),
  };
  const tunnels = stored && tunnelAnnotations(input);
  return {
    report: {
      namespace: settings.namespace,
      name: nodeReportName(name),
      labels: { [IDS_LABEL]: labelValue(name) },
      owner: { name, uid },
      data,
    },
    ...(stored && { stored: Object.fromEntries(Object.entries(stored).sort(by(([key]) => key))) }),
    ...(tunnels && !isPublished(tunnels, input) && withAnnotations({ ...announcement, ...tunnels })),
  };
}
