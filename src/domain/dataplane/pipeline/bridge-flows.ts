import type { NetworkKey } from '../../network/key.ts';
import { lastByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { listChanges } from '../../basics/incremental/list-changes.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { byName, distinct } from '../../basics/names/ordering.ts';
import { actionsText, matchText } from '../../datapath/openflow/flow-text.ts';
import { type Owner, ownerKey, uplinkOwner } from '../owner.ts';
import type { BridgeInput, UplinkInput } from './bridge-input.ts';
import type { Row, Scopes } from './row.ts';
import { pipeline } from './rows.ts';
import { tables } from './tables.ts';

/** A flow that a bridge needs, in the syntax of ovs-fields(7) and ovs-actions(7), with its owners and its reason. */
export interface PipelineFlow {
  readonly table: number;
  readonly priority: number;
  readonly match: string;
  readonly actions: string;
  /** Networks that need it, sorted. */
  readonly networks: readonly NetworkKey[];
  /** Owners: networks, uplinks, or the bridge. */
  readonly owners: readonly Owner[];
  readonly why: string;
}

/** The flows of rows for one subject. @param networks those that need them */
export function flowsOf<Scope>(
  rows: readonly Row<Scope>[],
  scope: Scope,
  networks: readonly NetworkKey[],
  owner: Owner,
): readonly PipelineFlow[] {
  return rows.flatMap(({ table, priority, why, flows }) =>
    flows(scope).map(({ match, actions }) => ({
      table: tables[table],
      priority,
      match: matchText(match),
      actions: actionsText(actions),
      networks,
      owners: [owner],
      why,
    })),
  );
}

const ownerOf = ({ uplink }: Pick<UplinkInput, 'uplink'>): Owner => ({ kind: 'uplink', name: uplink });

const order = (left: PipelineFlow, right: PipelineFlow) =>
  left.table - right.table || right.priority - left.priority || byName(left.match, right.match);

const isSame = (left: PipelineFlow, right: PipelineFlow) => order(left, right) === 0;

/** The flow, for the owners of an equal one too. */
const withOwnersOf = lazyByObjects((flow: PipelineFlow, equal: PipelineFlow): PipelineFlow => {
  const owners = new Map([...flow.owners, ...equal.owners].map((owner) => [ownerKey(owner), owner]));
  return { ...flow, networks: distinct([...flow.networks, ...equal.networks]), owners: [...owners.values()] };
});

/** Uplinks of one VLAN share a wire, and the flows of its neighbours: those of the first one are kept, with the owners of all. */
function withoutRepetitions(sorted: readonly PipelineFlow[]): readonly PipelineFlow[] {
  const flows: PipelineFlow[] = [];
  for (const flow of sorted) {
    const last = flows.at(-1);
    if (last === undefined || !isSame(last, flow)) flows.push(flow);
    else flows[flows.length - 1] = withOwnersOf(last, flow);
  }
  return flows;
}

/** Equal bridges and uplinks as one object. */
const sameBridge = interned<Omit<BridgeInput, 'uplinks'>>();
const sameUplink = interned<Omit<BridgeInput['uplinks'][number], 'neighbours' | 'networks'>>();

const lastOfNetwork = lastByObject<readonly PipelineFlow[]>();

/** The flows of a network: the same list as long as it, its uplink and its bridge are the same. */
function networkFlows({ bridge, uplink, network }: Scopes['network']): readonly PipelineFlow[] {
  return lastOfNetwork(network, [bridge, uplink], () =>
    flowsOf(pipeline.network, { bridge, uplink, network }, [network.network], uplinkOwner(network.network)).toSorted(
      order,
    ),
  );
}

/** Of equal flows, those of the first network come first: the order must not depend on which network was there before. */
const orderOfNetworks = (left: PipelineFlow, right: PipelineFlow) =>
  order(left, right) || byName(left.networks[0] ?? '', right.networks[0] ?? '');

/** A list in an order with more flows at their places, before equal ones. */
function withFlows(
  sorted: readonly PipelineFlow[],
  more: readonly PipelineFlow[],
  inOrder: typeof order,
): readonly PipelineFlow[] {
  let start = 0;
  const parts = more.toSorted(inOrder).map((flow) => {
    let [low, high] = [start, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = sorted[middle];
      if (other !== undefined && inOrder(other, flow) < 0) low = middle + 1;
      else high = middle;
    }
    const before = sorted.slice(start, low);
    start = low;
    return [...before, flow];
  });
  return [...parts, sorted.slice(start)].flat();
}

/** The flows of the networks of a bridge, in order. */
interface NetworksFlows {
  readonly ofNetworks: readonly (readonly PipelineFlow[])[];
  readonly sorted: readonly PipelineFlow[];
}

/** Those of the last networks of each bridge, by its name: of the next ones, only those that differ are put at their places. */
const lastOfNetworks = lazyByText((_bridge): { flows: NetworksFlows } => ({ flows: { ofNetworks: [], sorted: [] } }));

/** The flows of all networks of a bridge in order, as long as those of each are the same. */
function networksFlows(
  { bridge }: Scopes['bridge']['bridge'],
  ofNetworks: readonly (readonly PipelineFlow[])[],
): readonly PipelineFlow[] {
  const last = lastOfNetworks(bridge);
  const { flows: former } = last;
  const { removed, added } = listChanges(former.ofNetworks, ofNetworks);
  const gone = new Set(removed.flat());
  const kept = gone.size === 0 ? former.sorted : former.sorted.filter((flow) => !gone.has(flow));
  const sorted = added.length === 0 ? kept : withFlows(kept, added.flat(), orderOfNetworks);
  last.flows = { ofNetworks, sorted };
  return sorted;
}

/**
 * The flows that a bridge needs for the networks on it, by table, priority (highest first) and match.
 *
 * @returns none if no uplink carries a network.
 */
export function bridgeFlows({ uplinks: allUplinks, ...found }: BridgeInput): readonly PipelineFlow[] {
  const bridge = sameBridge(found);
  const uplinks = allUplinks
    .filter(({ networks }) => networks.length > 0)
    .toSorted((left, right) => byName(left.uplink, right.uplink))
    .map(({ neighbours, networks: ofUplink, ...uplink }) => {
      const networks = distinct(ofUplink.map(({ network }) => network));
      return { uplink: sameUplink(uplink), neighbours, ofUplink, networks };
    });
  if (uplinks.length === 0) return [];
  const shared = [
    ...flowsOf(pipeline.bridge, { bridge }, distinct(uplinks.flatMap(({ networks }) => networks)), {
      kind: 'bridge',
      name: bridge.bridge,
    }),
    ...uplinks.flatMap(({ uplink, neighbours, networks }) => [
      ...flowsOf(pipeline.uplink, { bridge, uplink }, networks, ownerOf(uplink)),
      ...neighbours.flatMap((neighbour) =>
        flowsOf(pipeline.neighbour, { bridge, uplink, neighbour }, networks, ownerOf(uplink)),
      ),
    ]),
  ];
  const ofNetworks = networksFlows(
    bridge,
    uplinks.flatMap(({ uplink, ofUplink }) => ofUplink.map((network) => networkFlows({ bridge, uplink, network }))),
  );
  return withoutRepetitions(withFlows(ofNetworks, shared, order));
}
