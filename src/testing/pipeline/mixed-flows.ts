/**
 * Bridges on which some networks are held or programmed in part.
 */
import type { NetworkKey } from '../../domain/network/key.ts';
import type { PipelineFlow } from '../../domain/dataplane/pipeline/bridge-flows.ts';
import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { serving } from '../../domain/plan/retained/uplink-flows.ts';
import type { Pipeline } from './bridge-model.ts';
import type { Programmed, Traffic } from './traffic.ts';

/** How far a network is programmed. */
export function programmedOf({ programmed }: Pick<Traffic, 'programmed'>, network: NetworkKey): Programmed {
  return programmed[network] ?? 'wholly';
}

/** The bridge with some of its networks only. */
export function withNetworks(bridge: BridgeInput, isThere: (network: NetworkKey) => boolean): BridgeInput {
  return {
    ...bridge,
    uplinks: bridge.uplinks.map((uplink) => ({
      ...uplink,
      networks: uplink.networks.filter(({ network }) => isThere(network)),
    })),
  };
}

/** Whether all networks of an uplink are held, some, or none. */
function heldOf({ networks }: UplinkInput, traffic: Traffic): 'all' | 'some' | 'none' {
  const held = networks.filter(({ network }) => programmedOf(traffic, network) === 'held');
  if (held.length === 0) return 'none';
  return held.length === networks.length ? 'all' : 'some';
}

/** The bridge with some uplinks as they were. */
function withFormer(traffic: Traffic, wasOther: (uplink: UplinkInput) => boolean): BridgeInput {
  const { bridge, former } = traffic;
  return {
    ...bridge,
    uplinks: bridge.uplinks.map((uplink) => {
      const had = wasOther(uplink) ? former[uplink.uplink] : undefined;
      if (had === undefined) return uplink;
      const { vlan: _vlan, ...rest } = uplink;
      return { ...rest, ...had };
    }),
  };
}

/** The bridge as it was: uplinks all of whose networks are held, or none, may have had another address, MAC address or VLAN. */
export function bridgeBefore(traffic: Traffic): BridgeInput {
  return withFormer(traffic, (uplink) => heldOf(uplink, traffic) !== 'some');
}

/** The bridge as its flows are: uplinks all of whose networks are held are as they were. */
export function bridgeAsProgrammed(traffic: Traffic): BridgeInput {
  return withFormer(traffic, (uplink) => heldOf(uplink, traffic) === 'all');
}

const isOfNetwork = ({ owners }: PipelineFlow) => owners.some(({ kind }) => kind === 'network');

/** The flows of the bridge as it was that stay for networks that are held (docs/design/flows.md, "Programming"). */
function stayingFlows(pipeline: Pipeline, traffic: Traffic): readonly PipelineFlow[] {
  const flows = pipeline(bridgeBefore(traffic));
  const isHeld = ({ owners }: PipelineFlow) =>
    owners.some((owner) => owner.kind === 'network' && programmedOf(traffic, owner.network) === 'held');
  const ofHeld = flows.filter((flow) => isOfNetwork(flow) && isHeld(flow));
  if (ofHeld.length === 0) return [];
  const isServing = serving([
    ...groupBy(ofHeld, ({ owners: [owner] }) => (owner?.kind === 'network' ? owner.network : '')).values(),
  ]);
  return flows.filter((flow) => (isOfNetwork(flow) ? isHeld(flow) : isServing(flow)));
}

/** The flows of a bridge on which some networks are held or programmed in part. */
export function mixedFlows(pipeline: Pipeline, traffic: Traffic): readonly PipelineFlow[] {
  const desired = pipeline(withNetworks(traffic.bridge, (network) => programmedOf(traffic, network) !== 'held')).filter(
    ({ owners }, place) =>
      owners.some((owner) => {
        if (owner.kind !== 'network') return true;
        const programmed = programmedOf(traffic, owner.network);
        return programmed === 'wholly' || (programmed === 'refused' && place % 2 === 0);
      }),
  );
  const keys = new Set(desired.map(flowKey));
  return [...desired, ...stayingFlows(pipeline, traffic).filter((flow) => !keys.has(flowKey(flow)))];
}
