import { join } from 'node:path';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { prepareDatabases, zoneDatabases } from '../../adapters/ovn/zone-databases.ts';
import { occupiedSocket } from '../../adapters/ovsdb/occupied-socket.ts';
import { exec } from '../run/exec.ts';
import { ports } from '../ports/container.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';

interface DatabasesOptions {
  readonly folder: string;
  readonly sockets: string;
}

/** Sockets of the databases: those of ovn-nbctl(8), and one of the Southbound that ovn-controller does not know. */
export const SOCKETS = { northbound: 'ovnnb_db.sock', southbound: 'ovnsb_private.sock' } as const;

/** Name of the socket of the Southbound database that ovn-controller knows (ovn-sbctl(8)). */
const CONTROLLER_SOCKET = 'ovnsb_db.sock';

/** Adds the command `ovn-databases`. */
export function addOvnDatabases(program: Command, container: Container, terminal: Terminal): void {
  program
    .command('ovn-databases')
    .description('Serves the databases of OVN of a node that is a zone of its own: becomes ovsdb-server.')
    .option('--folder <dir>', 'folder of the databases; they are created if missing', '/var/lib/ovn')
    .option('--sockets <dir>', 'folder of the sockets', '/run/ovn')
    .addHelpText(
      'after',
      helpText(`
Refuses to run where another OVN listens at its sockets. Where one of the two databases is missing, or cannot be read or converted, both are created again. A new Southbound database does not listen where ovn-controller looks for
it before an agent with --admit-controller has everything in it; ovn-controller keeps its flows meanwhile.`),
    )
    .action(async ({ folder, sockets }: DatabasesOptions) => {
      for (const name of [...Object.values(SOCKETS), CONTROLLER_SOCKET]) {
        const problem = await occupiedSocket(join(sockets, name));
        if (problem === undefined) continue;
        terminal.err(
          `error: ${problem}; where an OVN runs on this node already, leave out the component ovn, or stop that OVN first`,
        );
        process.exitCode = 1;
        return;
      }
      const prepared = await prepareDatabases(container.get(ports.programs), folder);
      if (!prepared.done) {
        terminal.err(`error: the databases in ${folder} cannot be prepared: ${prepared.error}`);
        process.exitCode = 1;
        return;
      }
      terminal.err(`the databases in ${folder} are ${prepared.outcome}`);
      const failure = exec('ovsdb-server', [
        ...zoneDatabases(folder).map(({ file }) => file),
        `--remote=punix:${join(sockets, SOCKETS.northbound)}`,
        `--remote=punix:${join(sockets, SOCKETS.southbound)}`,
        '--remote=db:OVN_Southbound,SB_Global,connections',
        `--unixctl=${join(sockets, 'ovn_db.ctl')}`,
        '-vconsole:info',
        '-vsyslog:off',
      ]);
      terminal.err(`error: ${failure}`);
      process.exitCode = 1;
    });
}
