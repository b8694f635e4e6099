import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { OvsdbSwitch } from '../../src/adapters/open-vswitch/ovsdb-switch.ts';
import { InstalledFlows } from '../../src/adapters/ovn/installed-flows.ts';
import { OvnNorthbound, USUAL_NORTHBOUND_TIMING } from '../../src/adapters/ovn/ovn-northbound.ts';
import { OvnSouthbound } from '../../src/adapters/ovn/ovn-southbound.ts';
import { ControllerFlows } from '../../src/adapters/ovs-ofctl-wrapper/controller-flows.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { northboundRowEntity } from '../../src/domain/entities/ovn/northbound-row.ts';
import { type Operation, setOperationsOf } from '../../src/domain/entities/operations/operation.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { NorthboundOperation } from '../../src/ports/node/northbound.ts';
import {
  changeRows,
  gatewayRouter,
  insertGatewayRouter,
  openRouterPort,
  ownHalf,
} from '../contract/northbound-examples.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import type { Userland } from './lab/userland.ts';
import { OpenVSwitch } from './open-vswitch.ts';

const CHASSIS = 'here';

/** Milliseconds until a change that is not confirmed counts as failed, where that has to happen. */
const SOON = 500;

const done: ApplyResult = { done: true };

const networkOf = (name: string) => gatewayRouter(name, { chassis: CHASSIS });
const [blue, red] = [networkOf('blue'), networkOf('red')];

/** The operation that adds rows of a provided network. */
function zoneChange(networkName: string, rows: readonly NorthboundRow[]): NorthboundOperation {
  const [operation] = setOperationsOf(
    rows.map((row) => ({
      verb: 'add',
      networks: [clusterNetworkKey(networkName)],
      entity: northboundRowEntity({ ...row, network: networkName, isOfZone: true }),
    })),
  ) as readonly Operation[];
  return operation as NorthboundOperation;
}

const zoneOf = (network: typeof blue) => zoneChange(network.networkName, ownHalf(network));

/** A network without a gateway router, and its management port. */
const green = 'cluster_udn_green';
const managementPort = 'k8s-green';
const zoneOfGreen = zoneChange(green, [
  { table: 'Logical_Switch', name: green, columns: {} },
  {
    table: 'Logical_Switch_Port',
    name: managementPort,
    parents: [{ table: 'Logical_Switch', name: green, column: 'ports' }],
    columns: { type: '', addresses: ['0a:58:0a:14:01:02 10.20.1.2'] },
  },
]);

/** A route of the gateway router of network blue. */
const route: NorthboundRow = {
  table: 'Logical_Router_Static_Route',
  name: 'GR_cluster_udn_blue_worker-a dst-ip 10.99.0.0/16 100.65.0.1',
  network: blue.networkName,
  columns: { ip_prefix: '10.99.0.0/16', nexthop: '100.65.0.1' },
  parents: [{ table: 'Logical_Router', name: 'GR_cluster_udn_blue_worker-a', column: 'static_routes' }],
};

const missing = (of: string) =>
  `ovn-controller has confirmed the change, but its flows for ${of} are not on br-int: Open vSwitch refuses them, or the connection does not stand; see the logs of ovn-controller and ovs-vswitchd`;

for (const userland of ['host', 'debian-13'] as const satisfies readonly Userland[]) {
  describe(`a change whose flows Open vSwitch refuses${userland === 'host' ? '' : ', with OVN of Debian 13'}`, () => {
    let openVSwitch: OpenVSwitch;
    let northbound: OvnNorthbound;
    let confirmation = USUAL_NORTHBOUND_TIMING.confirmation;
    const endings: (() => Promise<void>)[] = [];
    before(async () => {
      openVSwitch = await OpenVSwitch.start(userland);
      endings.push(() => openVSwitch.stop());
      const { environment, runDirectory, socket } = openVSwitch;
      const ids = [
        `system-id=${CHASSIS}`,
        `ovn-remote=unix:${socket}`,
        'ovn-encap-type=geneve',
        'ovn-encap-ip=192.0.2.1',
      ];
      openVSwitch.configure('set', 'Open_vSwitch', '.', ...ids.map((id) => `external_ids:${id}`));
      await openVSwitch.startNorthd();
      await openVSwitch.startController();
      const [programs, database] = [new ExecaPrograms(environment), new OvsdbSwitch(socket)];
      const southbound: OvnSouthbound = new OvnSouthbound(unixServer(socket, 'OVN'), () => northbound.confirm());
      northbound = new OvnNorthbound(
        unixServer(socket, 'OVN'),
        {
          ...USUAL_NORTHBOUND_TIMING,
          get confirmation() {
            return confirmation;
          },
          repetition: SOON,
        },
        new InstalledFlows(southbound, new ControllerFlows(programs, runDirectory, database)),
      );
      endings.push(...[northbound, southbound, database].map((each) => () => each.close()));
      await program(blue);
      expect(await northbound.apply(openRouterPort('add', blue))).to.deep.equal(done);
      // Where there is no chassis yet, nothing has to process a change.
      await untilBound('rtoe-GR_cluster_udn_blue_worker-a');
      expect(await northbound.apply(openRouterPort('add', blue))).to.deep.equal(done);
      expect(await northbound.apply(zoneOfGreen)).to.deep.equal(done);
      refuseFlows();
      confirmation = SOON;
      await program(red);
    });
    after(async () => {
      for (const end of endings.splice(0).reverse()) await end();
    });

    /** Adds a network whose gateway router is closed. */
    async function program(network: typeof blue): Promise<void> {
      await eventually('it has a zone', async () => (await northbound.apply(zoneOf(network))).done);
      expect(await northbound.apply(insertGatewayRouter(network))).to.deep.equal(done);
    }

    /** Waits until ovn-controller has bound a port to the chassis. */
    async function untilBound(port: string): Promise<void> {
      const where = [['logical_port', '==', port]];
      const query = { op: 'select', table: 'Port_Binding', where, columns: ['chassis'] };
      await eventually('it is bound', () => /"chassis":\["uuid"/.test(openVSwitch.transactOn('OVN_Southbound', query)));
    }

    /**
     * Has the integration bridge take no more flows in tables that have any (ovs-vswitchd.conf.db(5), Flow_Table). All those of logical datapaths: for a moment
     * after ovn-controller has connected again, flows of another table would be taken.
     */
    function refuseFlows(): void {
      const table = ['--id=@table', 'create', 'Flow_Table', 'flow_limit=1', 'overflow_policy=refuse'];
      const tables = Array.from({ length: 32 }, (_, index) => `flow_tables:${index + 8}=@table`);
      openVSwitch.configure('--', ...table, '--', 'set', 'Bridge', 'br-int', ...tables);
    }

    /** Applies an operation until ovn-controller says that it has processed it: while it connects again it does not. */
    async function expectMissing(operation: NorthboundOperation, of: string): Promise<void> {
      let error: string | undefined = '';
      await eventually('it is processed', async () => {
        const result = await northbound.apply(operation);
        error = result.done ? undefined : result.error;
        return error === undefined || !error.includes('did not confirm the change');
      });
      expect(error).to.equal(missing(of));
    }

    const unconfirmed = async () =>
      valueOf(await northbound.read()).northbound.flatMap(({ name, isUnconfirmed, isOpeningUnconfirmed }) =>
        isUnconfirmed === true || isOpeningUnconfirmed === true ? [name] : [],
      );

    it('is not confirmed though ovn-controller says so', async () => {
      await expectMissing(openRouterPort('add', red), 'port rtoe-GR_cluster_udn_red_worker-a');
      expect(await unconfirmed()).to.deep.equal(['rtoe-GR_cluster_udn_red_worker-a']);
    });

    it('may be a route of a network that has flows', async () => {
      await expectMissing(changeRows('add', [route]), `route ${route.name}`);
    });

    it('may be the management port of a network', async () => {
      const port = ['add-port', 'br-int', 'green', '--', 'set', 'Interface', 'green', 'type=internal'];
      openVSwitch.configure(...port, `external_ids:iface-id=${managementPort}`);
      await untilBound(managementPort);
      await expectMissing(zoneOfGreen, `port ${managementPort}`);
    });

    it('is confirmed as soon as its flows are there', async () => {
      openVSwitch.configure('clear', 'Bridge', 'br-int', 'flow_tables');
      for (const operation of [openRouterPort('add', red), changeRows('add', [route]), zoneOfGreen]) {
        await eventually('it is confirmed', async () => (await northbound.apply(operation)).done);
      }
      expect(await unconfirmed()).to.deep.equal([]);
    });
  });
}
