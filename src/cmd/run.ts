import type { Command } from 'commander';
import { effectiveOptions, printedConfig, type RunSettings, runSettings, subnetWarnings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command with the effective settings, or prints them on request; the action returns the exit status. */
export async function runWithSettings(
  command: Command,
  terminal: Terminal,
  run: (settings: RunSettings) => Promise<number>,
): Promise<void> {
  const options = await effectiveOptions(command);
  if ('problems' in options) {
    for (const problem of options.problems) terminal.err(`error: ${problem}`);
    process.exitCode = 1;
  } else if (options.printConfig === true) {
    terminal.out(printedConfig(options).trimEnd());
  } else {
    for (const warning of subnetWarnings(options)) terminal.err(`warning: ${warning}`);
    process.exitCode = await run(runSettings(options));
  }
}
