import { routeEntity } from '../entities/route.ts';
import type { Entity } from '../entities/entity-kinds.ts';
import { noFloodTo } from '../entities/no-flood-port.ts';
import { northboundRowEntity } from '../entities/northbound-row.ts';
import { neighbourEntity } from '../entities/neighbour.ts';
import { ruleEntity } from '../entities/rule.ts';
import { vrfSignature } from '../network/names/vrf-signature.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazyByText } from '../basics/incremental/lazy.ts';
import type { NetworkVrf } from '../routing-domain/network-vrf.ts';
import { gatewayRouterRows } from './gateway-router/gateway-router-rows.ts';
import { gatewayRouterNames } from '../network/names/gateway-router.ts';
import { withoutMissing } from './gateway-router/older-schema.ts';
import type { NetworkDatapath } from './network-datapath.ts';
import { wantedAddresses } from './addresses.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { wantedNeighbours } from './neighbours.ts';
import { wantedRoutes } from './routes.ts';
import { wantedRules } from './rules.ts';
import { wantedSysctls } from './sysctls.ts';

/** The desired state of a node for one network (docs/design/dataplane.md). Plain data. */
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
  readonly vrf: NetworkVrf;
  /** Absent where flows and gateway routers are not programmed. */
  readonly datapath?: NetworkDatapath;
  /** The entities that it needs. */
  readonly entities: readonly Entity[];
}

/** The entities of a network by kind, each kind where its first one is. */
export const entitiesByKind = lazyByObject(({ entities }: NetworkDataplane) => groupBy(entities, ({ kind }) => kind));

/** The VRF, if ovn-uplinks creates it, and the membership of the interface. */
function attachment({ device, networkName: network, vrf }: DataplaneInput): readonly Entity[] {
  const { name, table, own, enslaves } = vrf;
  return [
    ...(own ? [{ kind: 'vrf', name, table, alias: vrfSignature(network), up: true } as const] : []),
    ...(enslaves ? [{ kind: 'membership', device, vrf: name, table, network } as const] : []),
  ];
}

/** The gateway router of the network, and its connection to the bridge. */
const connectionOf = lazyByObject(({ router }: NetworkDatapath) =>
  lazyByText((missing: string): readonly Entity[] => {
    const { localnetPort, externalRouterPort } = gatewayRouterNames(router.networkName, router.node, router.bridge);
    return [
      ...withoutMissing(gatewayRouterRows(router), missing === '' ? [] : missing.split(' ')).map(northboundRowEntity),
      noFloodTo(router.bridge, localnetPort),
      { kind: 'open-router-port', routerPort: externalRouterPort, network: router.networkName, bridge: router.bridge },
    ];
  }, 1),
);

/** The desired state of a node for a network. */
export function dataplaneOf(input: DataplaneInput): NetworkDataplane {
  const { network, networkName, uplink, bridge, device, vrf, datapath, gatewayNeighbours = [], node } = input;
  return {
    network,
    networkName,
    uplink,
    bridge,
    device,
    vrf,
    ...(datapath && { datapath }),
    entities: [
      ...attachment(input),
      ...wantedAddresses(input),
      ...wantedRoutes(input).map(routeEntity),
      ...wantedRules(input).map(ruleEntity),
      ...wantedNeighbours(input).map(neighbourEntity),
      ...(datapath === undefined ? [] : gatewayNeighbours),
      ...wantedSysctls(input),
      { kind: 'bridge-mapping', networkName, bridge },
      ...(datapath === undefined
        ? []
        : connectionOf(datapath)((node.snapshot.missingNorthboundColumns ?? []).join(' '))),
    ],
  };
}
