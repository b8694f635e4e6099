/**
 * The handling of VLANs by ports, as discovery understands their settings, compared with that by Open vSwitch (ovs-vswitchd(8), ofproto/trace).
 */
import { expect } from 'chai';
import { carries, untaggedVlanOf } from '../../src/domain/discovery/port-vlans.ts';
import type { SwitchPort } from '../../src/domain/snapshot/node-snapshot.ts';
import { OpenVSwitch } from './open-vswitch.ts';

type Settings = Pick<SwitchPort, 'tag' | 'trunks' | 'vlanMode'>;

const modes = [undefined, 'access', 'trunk', 'native-tagged', 'native-untagged', 'dot1q-tunnel'];
const tags = [undefined, 0, 5];
const lists = [[], [0, 5], [5], [7]];

/** All settings of a port: modes, with and without a tag and a list of VLANs. */
const settings: readonly Settings[] = modes.flatMap((vlanMode) =>
  tags.flatMap((tag) =>
    lists.map((trunks) => ({
      ...(vlanMode !== undefined && { vlanMode }),
      ...(tag !== undefined && { tag }),
      trunks,
    })),
  ),
);

const BRIDGE = 'br-vlans';
const VLANS = [0, 5, 7];

describe('ports of a real Open vSwitch', function () {
  let real: OpenVSwitch;
  /** Numbers of the ports in the datapath. */
  let host = '';
  let wire = '';

  before(async () => {
    real = await OpenVSwitch.start();
    const ports = ['host', 'wire'].flatMap((name, at) => {
      const options = ['type=dummy', `ofport_request=${at + 1}`];
      return ['--', 'add-port', BRIDGE, name, '--', 'set', 'interface', name, ...options];
    });
    // Its own port is in a VLAN of its own, so that it gets nothing.
    real.configure('add-br', BRIDGE, ...ports, '--', 'set', 'port', BRIDGE, 'tag=4000');
    const shown = real.control('dpif/show');
    [host, wire] = ['host', 'wire'].map((name) => new RegExp(`${name} \\d+/(\\d+):`).exec(shown)?.[1] ?? '') as [
      string,
      string,
    ];
  });
  after(() => real.stop());

  const set = (port: string, { vlanMode, tag, trunks = [] }: Settings) => {
    real.configure(
      ...['clear', 'port', port, 'vlan_mode', 'tag', 'trunks'],
      ...(vlanMode === undefined ? [] : ['--', 'set', 'port', port, `vlan_mode=${vlanMode}`]),
      ...(tag === undefined ? [] : ['--', 'set', 'port', port, `tag=${tag}`]),
      ...(trunks.length === 0 ? [] : ['--', 'set', 'port', port, `trunks=${trunks.join(',')}`]),
    );
  };
  const actions = (port: string, vlan: number) => {
    const frame = `in_port=${port},dl_src=02:00:00:00:00:01,dl_dst=ff:ff:ff:ff:ff:ff,dl_type=0x88b5`;
    const traced = real.control('ofproto/trace', BRIDGE, vlan === 0 ? frame : `${frame},dl_vlan=${vlan}`);
    return /^Datapath actions: (.*)$/m.exec(traced)?.[1];
  };
  /** VLANs in which untagged frames of the host are on the wire as they are in the VLAN, and come back without a tag. */
  const exchanged = () => {
    const sent = actions('host', 0);
    return VLANS.filter((vlan) =>
      vlan === 0
        ? sent === wire && actions('wire', 0) === host
        : sent === `push_vlan(vid=${vlan},pcp=0),${wire}` && actions('wire', vlan) === `pop_vlan,${host}`,
    );
  };

  it('pass untagged frames of a VLAN, or of none, to the host', () => {
    set('wire', {});
    for (const port of settings) {
      set('host', port);
      const vlan = untaggedVlanOf(port);
      expect(exchanged(), JSON.stringify(port)).to.deep.equal(vlan === undefined ? [] : [vlan]);
    }
  });

  it('carry frames of a VLAN with its tag, or do not', () => {
    for (const vlan of VLANS) {
      set('host', { tag: vlan });
      for (const port of settings) {
        set('wire', port);
        expect(exchanged().includes(vlan), `${JSON.stringify(port)}, VLAN ${vlan}`).to.equal(carries(port, vlan));
      }
    }
  });
});
