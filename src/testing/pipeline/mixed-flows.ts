/**
 * Bridges on which some networks are held or programmed in part.
 */
import type { PipelineFlow } from '../../domain/dataplane/pipeline/bridge-flows.ts';
import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { flowKey } from '../../domain/openflow/flow-entry.ts';
import { attachedTo, type Pipeline } from './bridge-model.ts';
import type { Programmed, Traffic } from './traffic.ts';

/** How far a network is programmed. */
export function programmedOf({ programmed }: Pick<Traffic, 'programmed'>, network: string): Programmed {
  return programmed[network] ?? 'wholly';
}

/** The bridge with some of its networks only. */
export function withNetworks(bridge: BridgeInput, isThere: (network: string) => boolean): BridgeInput {
  return {
    ...bridge,
    uplinks: bridge.uplinks.map((uplink) => ({
      ...uplink,
      networks: uplink.networks.filter(({ network }) => isThere(network)),
    })),
  };
}

/** The bridge as it was: uplinks all of whose networks are held may have had another address, MAC address or VLAN. */
function before({ bridge, programmed, former }: Traffic): BridgeInput {
  return {
    ...bridge,
    uplinks: bridge.uplinks.map((uplink) => {
      const isHeld = uplink.networks.every(({ network }) => programmedOf({ programmed }, network) === 'held');
      const had = isHeld ? former[uplink.uplink] : undefined;
      if (had === undefined) return uplink;
      const { vlan: _vlan, ...rest } = uplink;
      return { ...rest, ...had };
    }),
  };
}

/**
 * The flows of a bridge on which some networks are held or programmed in part. Where a network is held, flows of others' patch ports alone are removed
 * from its bridge (docs/design/flows.md, "Programming").
 */
export function mixedFlows(pipeline: Pipeline, traffic: Traffic): readonly PipelineFlow[] {
  const of = (network: string) => programmedOf(traffic, network);
  const isHeld = attachedTo(traffic.bridge).some(({ network }) => of(network.network) === 'held');
  const stay = (isHeld ? pipeline(before(traffic)) : []).filter(({ owners }) =>
    owners.some((owner) => owner.kind !== 'network' || of(owner.name) === 'held'),
  );
  const desired = pipeline(withNetworks(traffic.bridge, (network) => of(network) !== 'held')).filter(
    ({ owners }, place) =>
      owners.some((owner) => {
        if (owner.kind !== 'network' || of(owner.name) === 'wholly') return true;
        return of(owner.name) === 'refused' && place % 2 === 0;
      }),
  );
  const keys = new Set(desired.map(flowKey));
  return [...desired, ...stay.filter((flow) => !keys.has(flowKey(flow)))];
}
