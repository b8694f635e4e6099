/** Ports of pods in real databases. */
import { expect } from 'chai';
import { OvnLogicalPorts } from '../../src/adapters/ovn/ovn-logical-ports.ts';
import { OvsdbSwitchPorts } from '../../src/adapters/open-vswitch/ovsdb-switch-ports.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { transitSwitchKey } from '../../src/domain/network/names/numbers.ts';
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../src/domain/datapath/northbound/row.ts';
import { USUAL_TIMING } from '../../src/adapters/ovsdb/timing.ts';
import {
  describeLogicalPorts,
  describeSwitchPorts,
  logicalPort,
  nodeSwitch,
  switchPort,
} from '../contract/pod-ports.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { NorthboundServer, onFullDisk, type ServerOptions } from './northbound-server.ts';
import { OpenVSwitch } from './open-vswitch.ts';

const timing = { ...USUAL_TIMING, deadline: 5000 };

async function startLogicalPorts(options: ServerOptions = {}) {
  const server = await NorthboundServer.start(options);
  const { name, networkName, networkId = 0 } = nodeSwitch;
  const signature = ['map', [[LOGICAL_NETWORK_ROW_OWNER_KEY, networkName]]];
  const key = ['map', [['requested-tnl-key', String(transitSwitchKey(networkId))]]];
  for (const row of [
    { name, external_ids: signature },
    { name: `${networkName}_transit_switch`, external_ids: signature, other_config: key },
    { name: 'of another program', other_config: key },
  ]) {
    server.transact({ op: 'insert', table: 'Logical_Switch', row });
  }
  const logicalPorts = new OvnLogicalPorts(unixServer(server.socket, 'OVN'), timing);
  return {
    server,
    logicalPorts,
    fail: () => server.killDatabase(),
    end: async () => {
      logicalPorts.close();
      await server.stop();
    },
  };
}

async function startSwitchPorts() {
  const openVSwitch = await OpenVSwitch.start();
  openVSwitch.configure('add-br', 'br-int');
  const switchPorts = new OvsdbSwitchPorts(openVSwitch.socket, timing);
  return {
    openVSwitch,
    switchPorts,
    install: ({ name }: { readonly name: string }) =>
      openVSwitch.configure('set', 'Interface', name, 'external_ids:ovn-installed=true'),
    // Devices of the dummy datapath have the index that they are given (netdev-dummy.c).
    setDevice: (name: string, isThere: boolean) =>
      openVSwitch.configure('set', 'Interface', name, `options:ifindex=${isThere ? 7 : 0}`),
    fail: () => openVSwitch.stop(),
    end: async () => {
      switchPorts.close();
      await openVSwitch.stop();
    },
  };
}

describeLogicalPorts('a real Northbound database', () => startLogicalPorts());

describeSwitchPorts('a real Open vSwitch', startSwitchPorts);

describe('ports of pods in real databases', () => {
  it('are read beside those of other programs, and hold their addresses', async () => {
    const { server, logicalPorts, end } = await startLogicalPorts();
    try {
      await logicalPorts.put(logicalPort('web', '1', '10.20.1.3'));
      server.run('ovn-nbctl', `--db=unix:${server.socket}`, 'lsp-add', 'cluster_udn_blue_worker-a', 'other');
      const { ports } = valueOf(await logicalPorts.read());
      expect(ports.map(({ name }) => name)).to.deep.equal(['demo.blue_demo_web']);
      const get = (column: string) =>
        server
          .run('ovn-nbctl', `--db=unix:${server.socket}`, 'get', 'Logical_Switch_Port', 'demo.blue_demo_web', column)
          .trim();
      expect(get('addresses')).to.equal('["0a:58:0a:14:01:03 10.20.1.3"]');
      expect(get('port_security')).to.equal('["0a:58:0a:14:01:03 10.20.1.3"]');
      expect(get('options:iface-id-ver')).to.equal('"1"');
    } finally {
      await end();
    }
  });

  it('are not added where the server has no space left, which is said', async () => {
    const { logicalPorts, end } = await startLogicalPorts(onFullDisk);
    try {
      let added = 0;
      let result = await logicalPorts.put(logicalPort('web-0', '0', '10.20.1.3'));
      while (result.done && added < 250) {
        added += 1;
        result = await logicalPorts.put(logicalPort(`web-${added}`, String(added), `10.20.1.${added + 3}`));
      }
      expect(result.done ? '' : result.error).to.match(
        /ovsdb-server .*I\/O error: \S+: write failed; the disk of the database may be full$/,
      );
      expect(valueOf(await logicalPorts.read()).ports).to.have.length(added);
    } finally {
      await end();
    }
  });

  it('are on the integration bridge, with what ovn-controller looks for', async () => {
    const { openVSwitch, switchPorts, end } = await startSwitchPorts();
    try {
      openVSwitch.configure('add-port', 'br-int', 'other');
      await switchPorts.add(switchPort);
      expect(valueOf(await switchPorts.read()).map(({ name }) => name)).to.deep.equal([switchPort.name]);
      const dump = openVSwitch.dump();
      for (const word of ['demo.blue_demo_web', '"iface-id-ver"', '"attached-mac"']) expect(dump).to.include(word);
    } finally {
      await end();
    }
  });

  it('cannot be added without the integration bridge', async () => {
    const { openVSwitch, switchPorts, end } = await startSwitchPorts();
    try {
      openVSwitch.configure('del-br', 'br-int');
      expect(await switchPorts.add(switchPort)).to.deep.include({
        done: false,
        error: `${openVSwitch.socket}: bridge br-int does not exist; start ovn-controller`,
      });
    } finally {
      await end();
    }
  });
});
