/**
 * The ids of all networks and nodes of a cluster, from its objects and the stored claims.
 */
import type { Network } from '../../network/network.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import {
  type Claiming,
  claimIds,
  type IdHolder,
  idsInUse,
  reportedNetworkIds,
} from '../../network/allocation/claim-ids.ts';
import {
  type ClaimKind,
  type ClaimsChange,
  endsClaims,
  type IdClaims,
  withClaims,
} from '../../network/allocation/id-claim.ts';
import {
  idsWithForeignMarks,
  reportingNodes,
  reportTexts,
  storedReport,
} from '../../network/allocation/node-report.ts';
import type { ObjectMeta } from '../../api/object-meta.ts';
import { NETWORK_ID_ANNOTATION } from '../../basics/conventions.ts';
import { by } from '../../basics/names/ordering.ts';
import { nodeIdOf } from '../../selection/node-network.ts';
import { type ClusterView, parseNetworkId } from './cluster-view.ts';
import { networksIn } from './provided-networks.ts';
import { storedClaims } from './stored-claims.ts';

/** The ids of a cluster. */
export interface ClusterIds {
  readonly networks: Claiming['decisions'];
  readonly nodes: Claiming['decisions'];
  /** Absent if the stored claims do not have to change. */
  readonly claims?: ClaimsChange;
}

function holder(name: string, { uid = '', creationTimestamp = '' }: ObjectMeta, given: number | undefined): IdHolder {
  return { name, uid, createdAt: creationTimestamp, ...(given !== undefined && { given }) };
}

/** The id of a network from its own annotation, or from those of its NetworkAttachmentDefinitions. */
function givenId({ metadata, networkName }: Network, view: ClusterView): number | undefined {
  return parseNetworkId(metadata.annotations?.[NETWORK_ID_ANNOTATION]) ?? view.networkIdByName(networkName);
}

/** Networks that get an id, and those that have one from another program. */
function networkHolders(view: ClusterView): readonly IdHolder[] {
  const { snapshot, settings } = view;
  return networksIn(snapshot, settings).flatMap((network) => {
    const given = givenId(network, view);
    const isOurs = network.providedBy === 'us' && unsupportedPart(network) === undefined;
    return isOurs || given !== undefined ? [holder(network.networkName, network.metadata, given)] : [];
  });
}

function nodeHolders({ snapshot }: ClusterView): readonly IdHolder[] {
  return snapshot.nodes.map((node) => holder(node.metadata.name, node.metadata, nodeIdOf(node)));
}

/** An object that exists and cannot be read keeps its claim. */
function unreadableHolders(claims: IdClaims, kind: ClaimKind, names: ReadonlySet<string>): readonly IdHolder[] {
  return claims[kind].filter(({ name }) => names.has(name)).map(({ name, uid }) => ({ name, uid, createdAt: '' }));
}

/** Ids of networks whose packet marks rules of other programs match on any node. */
function idsOfForeignMarks({ snapshot, settings }: ClusterView): ReadonlySet<number> {
  return idsWithForeignMarks(snapshot.nodes.map((node) => storedReport(node, snapshot.configMaps, settings.namespace)));
}

/** Decides the ids of a cluster. */
export function clusterIds(view: ClusterView): ClusterIds {
  const { snapshot, settings } = view;
  const { data: former, claims } = storedClaims(snapshot, settings);
  const stored = former ?? {};
  const reporting = reportingNodes(snapshot.nodes, snapshot.configMaps, settings.namespace);
  const inUse = idsInUse(claims, reporting);
  const allNetworks = [...networkHolders(view), ...unreadableHolders(claims, 'network', view.unreadableNetworks)];
  const network = claimIds(
    'network',
    claims.network,
    allNetworks,
    inUse.network,
    reportedNetworkIds(reporting),
    idsOfForeignMarks(view),
  );
  const allNodes = [...nodeHolders(view), ...unreadableHolders(claims, 'node', view.unreadable('nodes'))];
  const node = claimIds('node', claims.node, allNodes, inUse.node);
  const data = withClaims(stored, { network: network.claims, node: node.claims });
  return {
    networks: network.decisions,
    nodes: node.decisions,
    ...(JSON.stringify(data) !== JSON.stringify(withClaims(stored, claims)) && {
      claims: {
        namespace: settings.namespace,
        ...(former && { former: Object.fromEntries(Object.entries(former).sort(by(([key]) => key))) }),
        data,
        ...(endsClaims(stored, data) && { reports: reportTexts(reporting) }),
      },
    }),
  };
}
