/**
 * The gateway router of a network in OVN, and its connection to the bridge of the uplink (docs/design/dataplane.md).
 */
import { gatewayRouterRows } from '../../dataplane/gateway-router/gateway-router-rows.ts';
import { withoutMissing } from '../../dataplane/gateway-router/older-schema.ts';
import type { NetworkDatapath } from '../../dataplane/network-datapath.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { noFloodPort, noFloodTo } from '../../entities/switch/no-flood-port.ts';
import { newRowEntity, northboundRow } from '../../entities/ovn/northbound-row.ts';
import { openRouterPort } from '../../entities/ovn/open-router-port.ts';
import { gatewayRouterNames } from '../../network/names/gateway-router.ts';
import type { PartOfUplink } from './part.ts';

/** The entities by the columns that the schema of the database does not have: the same list for the same datapath. */
const entitiesOf = lazyByObject(({ router }: NetworkDatapath) =>
  lazyByText((missing: string): readonly Entity[] => {
    const { localnetPort, externalRouterPort } = gatewayRouterNames(router.networkName, router.node, router.bridge);
    return [
      ...withoutMissing(gatewayRouterRows(router), missing === '' ? [] : missing.split(' ')).map(newRowEntity),
      noFloodTo(router.bridge, localnetPort),
      { kind: 'open-router-port', routerPort: externalRouterPort, network: router.networkName, bridge: router.bridge },
    ];
  }, 1),
);

export const gatewayRouter: PartOfUplink = {
  plan: ({ datapath, node: { snapshot } }) =>
    datapath === undefined ? [] : entitiesOf(datapath)((snapshot.missingNorthboundColumns ?? []).join(' ')),
  reasons: {
    [northboundRow.kind]: 'GatewayRouterFailed',
    [openRouterPort.kind]: 'GatewayRouterFailed',
    [noFloodPort.kind]: 'UplinkBridgeMappingFailed',
  },
};
