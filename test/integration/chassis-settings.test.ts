import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import { isSwitchedOn, valueInForce } from '../../src/domain/snapshot/controller-keys.ts';
import { OvsdbSwitch } from '../../src/adapters/open-vswitch/ovsdb-switch.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import type { Userland } from './lab/userland.ts';
import { OpenVSwitch } from './open-vswitch.ts';

/** The settings for all chassis, and for this one: each contradicts the other. */
const settings: Readonly<Record<string, readonly [common: string, ofChassis: string]>> = {
  'ovn-bridge': ['br-int', 'br-own'],
  'ovn-encap-ip': ['192.0.2.1', '192.0.2.2'],
  'ovn-encap-type': ['vxlan', 'geneve'],
  'ovn-is-interconn': ['true', 'false'],
  'ovn-monitor-all': ['false', 'true'],
};

/** Settings that switch tunnels to other zones on or off, by other words than `true` and `false`. */
const switches: readonly (readonly [ofChassis: string, common: string, isOn: boolean])[] = [
  ['True', 'false', true],
  ['FALSE', 'TRUE', false],
  ['yes', 'True', true],
  ['yes', '1', false],
  ['""', 'true', true],
];

for (const userland of ['host', 'debian-13'] as const satisfies readonly Userland[]) {
  describe(`ovn-controller${userland === 'host' ? '' : ' of Debian 13'}`, () => {
    let openVSwitch: OpenVSwitch;
    let database: OvsdbSwitch;
    before(async () => {
      openVSwitch = await OpenVSwitch.start(userland);
      database = new OvsdbSwitch(openVSwitch.socket);
      const remote = `unix:${openVSwitch.socket}`;
      const ids = [
        ...Object.entries(settings).flatMap(([key, [common, ofChassis]]) => [
          `${key}=${common}`,
          `${key}-here=${ofChassis}`,
        ]),
        ...['system-id=here', 'ovn-remote=unix:/nowhere', `ovn-remote-here=${remote}`],
        ...['ovn-bridge-mappings=cluster_udn_blue:br-common', 'ovn-bridge-mappings-here=physnet:br-ex'],
      ];
      openVSwitch.configure('set', 'Open_vSwitch', '.', ...ids.map((id) => `external_ids:${id}`));
      await openVSwitch.startController();
    });
    after(async () => {
      await database.close();
      await openVSwitch.stop();
    });

    /** The data that ovn-controller has written about itself. */
    const written = (table: string, ...columns: readonly string[]) =>
      openVSwitch.transactOn('OVN_Southbound', { op: 'select', table, where: [], columns });
    const isMapped = (entries: string) =>
      written('Chassis', 'other_config').includes(`["ovn-bridge-mappings","${entries}"]`);

    it('reads the settings of its chassis before those of all', async () => {
      await eventually('it has its chassis', () => written('Encap', 'ip').includes('192.0.2.2'));
      expect(written('Encap', 'ip', 'type')).to.equal('[{"rows":[{"ip":"192.0.2.2","type":"geneve"}]}]\n');
      const chassis = written('Chassis', 'name', 'other_config');
      for (const said of ['["is-interconn","false"]', '["ovn-monitor-all","true"]']) {
        expect(chassis).to.include(said);
      }
      const { switchExternalIds } = valueOf(await database.read());
      for (const [key, [, ofChassis]] of Object.entries(settings)) {
        expect(valueInForce(key, switchExternalIds), key).to.equal(ofChassis);
      }
    });

    it('reads an entry of a network that is added where it reads it, until that is removed', async () => {
      const networkName = 'cluster_udn_blue';
      const entity = { kind: 'bridge-mapping', networkName, bridge: 'br-blue' } as const;
      await eventually('it reads the list of its chassis', () => isMapped('physnet:br-ex'));
      expect(await database.apply({ verb: 'add', networks: [clusterNetworkKey('blue')], entity })).to.deep.equal({
        done: true,
      });
      await eventually('it reads the entry', () => isMapped('physnet:br-ex,cluster_udn_blue:br-blue'));
      expect(await database.apply({ verb: 'remove', networks: [clusterNetworkKey('blue')], entity })).to.deep.equal({
        done: true,
      });
      await eventually('it reads that it is gone', () => isMapped('physnet:br-ex'));
      const { switchExternalIds } = valueOf(await database.read());
      expect(switchExternalIds).to.include({
        'ovn-bridge-mappings': 'cluster_udn_blue:br-common',
        'ovn-bridge-mappings-here': 'physnet:br-ex',
      });
    });
  });

  for (const [ofChassis, common, isOn] of switches) {
    describe(`ovn-controller of ${userland} with ovn-is-interconn of its chassis ${ofChassis}, and of all ${common}`, () => {
      let openVSwitch: OpenVSwitch;
      before(async () => {
        openVSwitch = await OpenVSwitch.start(userland);
        const ids = [
          ...['system-id=here', `ovn-remote=unix:${openVSwitch.socket}`, 'ovn-encap-ip=192.0.2.1'],
          ...['ovn-encap-type=geneve', `ovn-is-interconn-here=${ofChassis}`, `ovn-is-interconn=${common}`],
        ];
        openVSwitch.configure('set', 'Open_vSwitch', '.', ...ids.map((id) => `external_ids:${id}`));
        await openVSwitch.startController();
      });
      after(async () => {
        await openVSwitch.stop();
      });

      it(`has them switched ${isOn ? 'on' : 'off'}`, async () => {
        const select = { op: 'select', table: 'Chassis', where: [], columns: ['other_config'] };
        const written = () => openVSwitch.transactOn('OVN_Southbound', select);
        await eventually('it has its chassis', () => written().includes('is-interconn'));
        expect(written()).to.include(`["is-interconn","${String(isOn)}"]`);
        const database = new OvsdbSwitch(openVSwitch.socket);
        const { switchExternalIds } = valueOf(await database.read());
        await database.close();
        expect(isSwitchedOn('ovn-is-interconn', switchExternalIds)).to.equal(isOn);
      });
    });
  }
}
