/**
 * The command `ovn-uplinks` of this process.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { machineContainer } from './ports/machine-container.ts';
import { ovnUplinksCommand } from './commands/subcommands.ts';
import { processTerminal } from './output/terminal.ts';

// A reader such as head(1) may close the pipe early: not a failure, but no result for --exit-code either.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') process.exit(1);
});

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string;
};
const program = await ovnUplinksCommand(process.argv.slice(2), machineContainer(), processTerminal());
await program.version(version, '-V, --version', 'print the version').parseAsync();
