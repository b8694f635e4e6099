/** The subjects of the samples of operations in OVN, and on its integration bridge. */
import type { ManagementPortEntity } from '../../../../../src/domain/entities/switch/management-port.ts';
import type { OpenRouterPortEntity } from '../../../../../src/domain/entities/ovn/open-router-port.ts';
import type { RemotePortEntity } from '../../../../../src/domain/entities/ovn/remote-port.ts';
import type { Chassis, RemotePort } from '../../../../../src/domain/snapshot/chassis.ts';
import type { NorthboundRow } from '../../../../../src/domain/datapath/northbound/row.ts';

export const localnetRow: NorthboundRow = {
  table: 'Logical_Switch_Port',
  name: 'blue',
  network: 'cluster_udn_blue',
  columns: { type: 'localnet', options: { network_name: 'cluster_udn_blue' } },
  parents: [{ table: 'Logical_Switch', name: 'ext_blue', column: 'ports' }],
};
export const storedRow: NorthboundRow = { ...localnetRow, uuid: '1' };

export const otherChassis: Chassis = {
  name: 'chassis-b',
  hostname: 'worker-b',
  addresses: ['172.30.0.2'],
  isRemote: true,
  node: 'worker-b',
};

export const otherPort: RemotePort = { port: 'tstor-b', chassis: 'chassis-b', network: 'cluster_udn_blue' };
export const boundPort: RemotePortEntity = { kind: 'remote-port', ...otherPort };

export const transitSwitch: NorthboundRow = {
  table: 'Logical_Switch',
  name: 'cluster_udn_blue_transit_switch',
  network: 'cluster_udn_blue',
  isOfZone: true,
  columns: { other_config: { 'requested-tnl-key': '16711684' } },
};

export const managementPort: ManagementPortEntity = {
  kind: 'management-port',
  device: 'ovn-k8s-mp1',
  bridge: 'br-int',
  type: 'internal',
  logicalPort: 'k8s-cluster_udn_blue_a',
  macAddress: '0a:58:0a:14:00:02',
  mtu: 1400,
  network: 'cluster_udn_blue',
};
export const portUp = { kind: 'link-up', device: 'ovn-k8s-mp1' } as const;

export const openPort: OpenRouterPortEntity = {
  kind: 'open-router-port',
  routerPort: 'rtoe-GR_blue',
  network: 'cluster_udn_blue',
  bridge: 'br-blue',
};

/** The router port to the bridge, in the database. */
export function routerPort(enabled: boolean): NorthboundRow {
  return {
    table: 'Logical_Router_Port',
    name: 'rtoe-GR_blue',
    uuid: '2',
    network: 'cluster_udn_blue',
    columns: { enabled },
  };
}
