import { routeEntity } from '../entities/route.ts';
import type { Entity } from '../entities/entity-kinds.ts';
import { neighbourEntity } from '../entities/neighbour.ts';
import { ruleEntity } from '../entities/rule.ts';
import { vrfSignature } from '../entities/vrf-signature.ts';
import { wantedAddresses } from './addresses.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { wantedNeighbours } from './neighbours.ts';
import { wantedRoutes } from './routes.ts';
import { wantedRules } from './rules.ts';
import { wantedSysctls } from './sysctls.ts';
import { type WantedVrf, wantedVrf } from './vrf.ts';

/** What a node must have for one network (docs/design/dataplane.md). Plain data. */
export interface NetworkDataplane {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  /** Its name in OVN and in bridge mappings. */
  readonly networkName: string;
  /** Name of the Uplink that carries it. */
  readonly uplink: string;
  readonly bridge: string;
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly vrf: WantedVrf;
  /** Whether the interface is a member of the VRF; otherwise it is in none by our hand. */
  readonly enslaved: boolean;
  /** Everything of ours that it needs. */
  readonly entities: readonly Entity[];
}

/** The VRF where it is ours to make, and that the interface is in it. */
function attachment(input: DataplaneInput, { name, table, own }: WantedVrf): readonly Entity[] {
  const { device, networkName: network, domain } = input;
  return [
    ...(own ? [{ kind: 'vrf', name, table, alias: vrfSignature(network), up: true } as const] : []),
    ...(domain.kind === 'default' ? [] : [{ kind: 'membership', device, vrf: name, table, network } as const]),
  ];
}

/** What a node must have for a network; absent while not even the VRF's table can be told. */
export function dataplaneOf(input: DataplaneInput): NetworkDataplane | undefined {
  const vrf = wantedVrf(input);
  const { network, networkName, uplink, bridge, device, domain } = input;
  if (vrf === undefined || bridge === undefined) return undefined;
  return {
    network,
    networkName,
    uplink,
    bridge,
    device,
    vrf,
    enslaved: domain.kind !== 'default',
    entities: [
      ...attachment(input, vrf),
      ...wantedAddresses(input, vrf),
      ...wantedRoutes(input, vrf).map(routeEntity),
      ...wantedNeighbours(input).map(neighbourEntity),
      ...wantedRules(input, vrf).map(ruleEntity),
      ...wantedSysctls(input),
      { kind: 'bridge-mapping', networkName, bridge },
    ],
  };
}
