import { lazyByText } from '../../lazy.ts';
import { byName, distinct } from '../../ordering.ts';
import { actionsText, matchText } from '../../openflow/flow-text.ts';
import { type Owner, ownerKey } from '../owner.ts';
import type { BridgeInput, UplinkInput } from './bridge-input.ts';
import type { PipelineRow, ScopeName, Scopes } from './row.ts';
import { pipeline } from './rows.ts';
import { tables } from './tables.ts';

/** A flow that a bridge needs, in the syntax of ovs-fields(7) and ovs-actions(7), with its owners and its reason. */
export interface PipelineFlow {
  readonly table: number;
  readonly priority: number;
  readonly match: string;
  readonly actions: string;
  /** Names of the ClusterUserDefinedNetworks that need it, sorted. */
  readonly networks: readonly string[];
  /** What needs it: networks, uplinks, or the bridge. */
  readonly owners: readonly Owner[];
  readonly why: string;
}

function flowsOf<Scope extends ScopeName>(
  rows: readonly PipelineRow<Scope>[],
  scope: Scopes[Scope],
  networks: readonly string[],
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
function withOwnersOf(flow: PipelineFlow, equal: PipelineFlow): PipelineFlow {
  const owners = new Map([...flow.owners, ...equal.owners].map((owner) => [ownerKey(owner), owner]));
  return { ...flow, networks: distinct([...flow.networks, ...equal.networks]), owners: [...owners.values()] };
}

/** Uplinks of one VLAN share a wire, and the flows of its neighbours: those of the first uplink are kept, with the owners of all. */
function withoutRepetitions(sorted: readonly PipelineFlow[]): readonly PipelineFlow[] {
  const flows: PipelineFlow[] = [];
  for (const flow of sorted) {
    const last = flows.at(-1);
    if (last === undefined || !isSame(last, flow)) flows.push(flow);
    else flows[flows.length - 1] = withOwnersOf(last, flow);
  }
  return flows;
}

/** Number of networks whose flows are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

/** The flows of a network, made once for the same input. */
const networkFlows = lazyByText((text: string): readonly PipelineFlow[] => {
  const scope = JSON.parse(text) as Scopes['network'];
  const { network } = scope.network;
  return flowsOf(pipeline.network, scope, [network], { kind: 'network', name: network }).toSorted(order);
}, CACHED_NETWORKS);

/**
 * The flows that a bridge needs for the networks on it, by table, priority (highest first) and match.
 *
 * @returns none if no uplink carries a network.
 */
export function bridgeFlows({ uplinks: allUplinks, ...bridge }: BridgeInput): readonly PipelineFlow[] {
  const uplinks = allUplinks
    .filter(({ networks }) => networks.length > 0)
    .toSorted((left, right) => byName(left.uplink, right.uplink))
    .map(({ neighbours, networks: ofUplink, ...uplink }) => {
      return { uplink, neighbours, ofUplink, networks: distinct(ofUplink.map(({ network }) => network)) };
    });
  if (uplinks.length === 0) return [];
  const flows = [
    ...flowsOf(pipeline.bridge, { bridge }, distinct(uplinks.flatMap(({ networks }) => networks)), {
      kind: 'bridge',
      name: bridge.bridge,
    }),
    ...uplinks.flatMap(({ uplink, neighbours, ofUplink, networks }) => [
      ...flowsOf(pipeline.uplink, { bridge, uplink }, networks, ownerOf(uplink)),
      ...neighbours.flatMap((neighbour) =>
        flowsOf(pipeline.neighbour, { bridge, uplink, neighbour }, networks, ownerOf(uplink)),
      ),
      ...ofUplink.flatMap((network) => networkFlows(JSON.stringify({ bridge, uplink, network }))),
    ]),
  ];
  return withoutRepetitions(flows.toSorted(order));
}
