import { expect } from 'chai';
import { changeFlows } from '../../../../src/adapters/ovs-ofctl-wrapper/flow-bundle.ts';
import { FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import type { EntityOperation } from '../../../../src/domain/entities/operations/operation.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import { bridgeWith } from './bridges.ts';

const bridge = bridgeWith({ eth1: 1 });

const finished: ProgramResult = { outcome: 'finished', stdout: new Uint8Array() };

function failed(stderr: string): ProgramResult {
  return { outcome: 'failed', exitCode: 1, stdout: new Uint8Array(), stderr };
}

/** Changes that add flows, each for a TCP port. */
const changes = Array.from({ length: 8 }, (_, port): EntityOperation<'flow'> => {
  const match = `tcp,tp_dst=${String(port)}`;
  const flow = { bridge: 'br-blue', cookie: FLOW_COOKIE, table: 0, priority: 7, match, actions: 'drop' };
  return { verb: 'add', networks: [], entity: { kind: 'flow', flow } };
});

const portsIn = (lines: readonly string[]) => lines.map((line) => /tp_dst=(\d)/.exec(line)?.[1]).join('');

/** The result of a bundle, with a program that prints errors, and the ports of each bundle that was tried. */
async function tried(run: (ports: string) => ProgramResult) {
  const bundles: string[] = [];
  const result = await changeFlows(changes, bridge, new Map(), (lines) => {
    bundles.push(portsIn(lines));
    return Promise.resolve(run(portsIn(lines)));
  });
  const leftOut = result.done ? (result.leftOut ?? []) : [];
  return {
    bundles,
    result,
    leftOut: leftOut.map(({ change, error }) => `${String(changes.findIndex((each) => each === change))}: ${error}`),
  };
}

describe('a bundle of flows', () => {
  it('is halved if the error does not say which flow the switch refuses', async () => {
    const error = 'Error OFPFMFC_TABLE_FULL for: OFPT_BUNDLE_CONTROL (OF1.4) (xid=0x7):\n bundle_id=0\n';
    const { bundles, leftOut } = await tried((ports) => (/[26]/.test(ports) ? failed(error) : finished));
    expect(leftOut).to.deep.equal([
      '2: the switch refuses it: OFPFMFC_TABLE_FULL',
      '6: the switch refuses it: OFPFMFC_TABLE_FULL',
    ]);
    expect(bundles).to.deep.equal(['01234567', '0123', '01', '23', '2', '3', '4567', '45', '67', '6', '7']);
  });

  it('is not repeated if the error concerns no flow', async () => {
    const error =
      '2026-01-01T00:00:00Z|00001|vconn|WARN|text\novs-ofctl: unix:/x.mgmt: failed to connect to socket (Connection refused)\n';
    const { bundles, result } = await tried(() => failed(error));
    expect(bundles).to.have.length(1);
    expect(result).to.deep.equal({
      done: false,
      error: 'ovs-ofctl: unix:/x.mgmt: failed to connect to socket (Connection refused)',
    });
    for (const outcome of [
      { outcome: 'not-found' } as const,
      { outcome: 'deadline-passed', deadline: 1000 } as const,
    ]) {
      expect((await tried(() => outcome)).result)
        .to.have.property('error')
        .that.matches(/^ovs-ofctl (is not installed|did not finish)/);
    }
  });

  it('is not run without flows', async () => {
    const { bundles, result } = await tried((ports) => failed(`ovs-ofctl: -:1: flow ${ports}\n`));
    expect(bundles).to.deep.equal(['01234567', '1234567', '234567', '34567', '4567', '567', '67', '7']);
    expect(result.done && result.leftOut).to.have.length(8);
  });
});
