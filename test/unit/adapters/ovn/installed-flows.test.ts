import { expect } from 'chai';
import { InstalledFlows } from '../../../../src/adapters/ovn/installed-flows.ts';
import { ControllerFlows } from '../../../../src/adapters/ovs-ofctl-wrapper/controller-flows.ts';
import { type Row, rowOf } from '../../../../src/adapters/ovsdb/row.ts';
import { inFile, type Reading } from '../../../../src/ports/input-problem.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import { FakeSwitchDatabase } from '../../../fakes/switch-database.ts';

type Found = Reading<readonly (readonly Row[])[]>;

/** The output of ovs-ofctl(8) of Open vSwitch 3.1, with a number of flows. */
const aggregate = (flows: number): ProgramResult => ({
  outcome: 'finished',
  stdout: new TextEncoder().encode(
    `OFPST_AGGREGATE reply (OF1.5) (xid=0x2): packet_count=0 byte_count=0 flow_count=${flows}\n`,
  ),
});

describe('whether the flows of a change are on the integration bridge', () => {
  const columns = { logical_port: 'rtoe-blue', chassis: ['uuid', 'x'] };
  const port = rowOf('Port_Binding', '0a1b2c3d-0000-0000-0000-000000000000', columns, 'ovnsb_db.sock');
  const found: Found = { read: true, value: [[port], []] };
  const unread: Found = { read: false, problems: [{ origin: inFile('ovnsb_db.sock'), message: 'is gone' }] };

  /** The problem of a change, and the arguments of the programs that looked for its flows. */
  async function problemWith(rows: Found, printed: ProgramResult, bridge = 'br-int') {
    const commands: string[] = [];
    const programs = {
      run: (program: string, words: readonly string[]) => {
        commands.push([program, ...words].join(' '));
        return Promise.resolve(printed);
      },
    };
    const database = new FakeSwitchDatabase({ switchExternalIds: { 'ovn-bridge': bridge }, bridges: [] });
    const flows = new ControllerFlows(programs, '/run/openvswitch', database);
    const installed = new InstalledFlows({ select: () => Promise.resolve(rows) }, flows);
    return { problem: await installed.problem({ network: 'cluster_udn_blue' }), commands };
  }

  it('is asked of one port, by its cookie, on the bridge that ovn-controller uses', async () => {
    expect(await problemWith(found, aggregate(4), 'br-own')).to.deep.equal({
      problem: undefined,
      commands: [
        'ovs-ofctl -O OpenFlow13,OpenFlow14,OpenFlow15 dump-aggregate -- unix:/run/openvswitch/br-own.mgmt cookie=0x0a1b2c3d/-1',
      ],
    });
  });

  it('is a problem that names the port if there are none', async () => {
    const { problem } = await problemWith(found, aggregate(0));
    expect(problem).to.equal(
      'ovn-controller has confirmed the change, but its flows for port rtoe-blue are not on br-int: Open vSwitch refuses them, or the connection does not stand; see the logs of ovn-controller and ovs-vswitchd',
    );
  });

  it('is a problem if the bridge cannot be read, or prints something else', async () => {
    const stderr = 'ovs-ofctl: unix:/run/openvswitch/br-int.mgmt: failed to connect to socket (No such file)';
    const failed = await problemWith(found, { outcome: 'failed', exitCode: 1, stdout: new Uint8Array(), stderr });
    expect(failed.problem).to.equal(`ovs-ofctl dump-aggregate br-int: ${stderr}`);
    const other = await problemWith(found, { outcome: 'finished', stdout: new TextEncoder().encode('hello\n') });
    expect(other.problem).to.equal('ovs-ofctl dump-aggregate br-int: expected flow_count, found "hello"');
  });

  it('is not asked if the Southbound database cannot be read, or the network has no port on the node', async () => {
    for (const rows of [unread, { read: true, value: [[], []] } as const]) {
      expect(await problemWith(rows, aggregate(0))).to.deep.equal({ problem: undefined, commands: [] });
    }
  });
});
