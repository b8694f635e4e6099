import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Container } from 'inversify';
import { ports } from '../../../src/cmd/ports/container.ts';
import type { ProgramResult, Programs } from '../../../src/ports/node/programs.ts';
import { temporaryFolders } from '../adapters/temporary-folders.ts';
import { runCommand } from './run-in-process.ts';

const DUMP = '--format=json --no-leader-only';

/** A machine without bridges, on which all programs print their arguments, except that a database leads to a result. */
function machine(found?: ProgramResult, database = 'OVN_Northbound'): Programs {
  return {
    run: (_program, words) => {
      const line = words.join(' ');
      if (found !== undefined && line.includes(database)) return Promise.resolve(found);
      const stdout = line.includes('list-br') ? '' : line;
      return Promise.resolve({ outcome: 'finished', stdout: new TextEncoder().encode(stdout) });
    },
  };
}

const refused: ProgramResult = {
  outcome: 'failed',
  exitCode: 1,
  stdout: new Uint8Array(),
  stderr: 'failed to connect (Connection refused)\n',
};

describe('capture', () => {
  const newFolder = temporaryFolders();

  async function capture(programs: Programs, ...words: readonly string[]) {
    const parent = newFolder();
    const container = new Container();
    container.bind(ports.programs).toConstantValue(programs);
    const run = await runCommand(container, ['capture', '--out', join(parent, 'node'), ...words]);
    const lines = [...run.err, ...run.out].map((line) => line.replaceAll(`${parent}/`, ''));
    const folders = readdirSync(parent);
    const files = folders.flatMap((folder) => readdirSync(join(parent, folder)));
    const northbound = () => readFileSync(join(parent, 'node', 'ovn-nb.json'), 'utf8');
    const southbound = () => readFileSync(join(parent, 'node', 'ovn-sb.json'), 'utf8');
    return { exitCode: run.exitCode, lines, files, northbound, southbound };
  }

  it('takes the Northbound database of the node’s own OVN along', async () => {
    const { northbound, southbound: _, ...run } = await capture(machine());
    expect(run).to.deep.include({ exitCode: 0, lines: ['captured in node'] });
    expect(northbound()).to.equal(`${DUMP} dump unix:/var/run/ovn/ovnnb_db.sock OVN_Northbound`);
  });

  it('takes the one along that --ovn-northbound names, with the files for ssl', async () => {
    const { northbound } = await capture(
      machine(),
      '--ovn-northbound=ssl:192.0.2.1:6641,ssl:[2001:db8::1]:6641',
      '--private-key=k.pem',
      '--certificate=c.pem',
      '--ca-cert=ca.pem',
    );
    expect(northbound()).to.equal(
      `${DUMP} --private-key=k.pem --certificate=c.pem --ca-cert=ca.pem dump ssl:192.0.2.1:6641,ssl:[2001:db8::1]:6641 OVN_Northbound`,
    );
  });

  it('takes the chassis of the Southbound database along, which only a node with a zone of its own has', async () => {
    const { southbound } = await capture(machine(), '--ovn-southbound=tcp:192.0.2.1:6642');
    expect(southbound()).to.match(/^--no-leader-only transact tcp:192\.0\.2\.1:6642 \["OVN_Southbound",/);
    const own = await capture(machine());
    expect(own.southbound()).to.match(/^--no-leader-only transact unix:\/var\/run\/ovn\/ovnsb_db\.sock /);
    const absent = await capture(machine(refused, 'OVN_Southbound'));
    expect(absent).to.deep.include({ exitCode: 0, lines: ['captured in node'] });
    const given = await capture(machine(refused, 'OVN_Southbound'), '--ovn-southbound=tcp:192.0.2.1:6642');
    expect(given.exitCode).to.equal(1);
  });

  it('captures a node without OVN, with a warning, and without one if it is told that there is none', async () => {
    const { files, ...run } = await capture(machine(refused));
    expect(run).to.deep.include({
      exitCode: 0,
      lines: [
        `warning: node/ovn-nb.json: "ovsdb-client ${DUMP} dump unix:/var/run/ovn/ovnnb_db.sock OVN_Northbound" exited with status 1 and printed: failed to connect (Connection refused); the capture does not include OVN: use --ovn-northbound to give its address`,
        'captured in node',
      ],
    });
    expect(files).to.include('ovsdb.json').and.not.include('ovn-nb.json');
    const none = await capture(machine(refused), '--ovn-northbound', 'none');
    expect(none).to.deep.include({ exitCode: 0, lines: ['captured in node'], files });
  });

  it('fails if the database does not answer that --ovn-northbound names', async () => {
    const run = await capture(machine(refused), '--ovn-northbound', 'tcp:192.0.2.1:6641');
    expect(run).to.deep.include({
      exitCode: 1,
      lines: [
        `error: node/ovn-nb.json: "ovsdb-client ${DUMP} dump tcp:192.0.2.1:6641 OVN_Northbound" exited with status 1 and printed: failed to connect (Connection refused)`,
      ],
      files: [],
    });
  });

  it('fails without the files that ssl requires', async () => {
    const run = await capture(machine(), '--ovn-northbound', 'ssl:192.0.2.1:6641');
    expect(run).to.deep.include({
      exitCode: 1,
      lines: ['error: ovn-northbound: an address of ssl requires --private-key, --certificate and --ca-cert'],
      files: [],
    });
  });
});
