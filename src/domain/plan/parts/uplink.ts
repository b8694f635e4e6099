/**
 * The uplink of a network on the host: its VRF with the interface in it, addresses, routes, rules, neighbours and settings there, and the mapping of the network to
 * the bridge (docs/design/dataplane.md).
 */
import { wantedAddresses } from '../../dataplane/addresses.ts';
import type { DataplaneInput } from '../../dataplane/dataplane-input.ts';
import { wantedNeighbours } from '../../dataplane/neighbours.ts';
import { wantedRoutes } from '../../dataplane/routes.ts';
import { wantedRules } from '../../dataplane/rules.ts';
import { wantedSysctls } from '../../dataplane/sysctls.ts';
import { bridgeMapping } from '../../entities/switch/bridge-mapping.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { neighbourEntity } from '../../entities/kernel/neighbour.ts';
import { routeEntity } from '../../entities/kernel/route.ts';
import { ruleEntity } from '../../entities/kernel/rule.ts';
import { vrfSignature } from '../../network/names/vrf-signature.ts';
import type { PartOfUplink } from './part.ts';

/** The VRF, if ovn-uplinks creates it, and the membership of the interface. */
function attachment({ device, networkName: network, vrf }: DataplaneInput): readonly Entity[] {
  const { name, table, own, enslaves } = vrf;
  return [
    ...(own ? [{ kind: 'vrf', name, table, alias: vrfSignature(network), up: true } as const] : []),
    ...(enslaves ? [{ kind: 'membership', device, vrf: name, table, network } as const] : []),
  ];
}

export const uplink: PartOfUplink = {
  plan: (network) => [
    ...attachment(network),
    ...wantedAddresses(network),
    ...wantedRoutes(network).map(routeEntity),
    ...wantedRules(network).map(ruleEntity),
    ...wantedNeighbours(network).map(neighbourEntity),
    ...wantedSysctls(network),
    { kind: 'bridge-mapping', networkName: network.networkName, bridge: network.bridge },
  ],
  reasons: { [bridgeMapping.kind]: 'UplinkBridgeMappingFailed' },
};
