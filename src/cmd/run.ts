import type { Command } from 'commander';
import { optionsInForce, printedConfig, type RunSettings, runSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command with the settings in force, or prints them where that was asked for; what it returns is the exit status. */
export async function runWithSettings(
  command: Command,
  terminal: Terminal,
  run: (settings: RunSettings) => Promise<number>,
): Promise<void> {
  const options = await optionsInForce(command);
  if ('problems' in options) {
    for (const problem of options.problems) terminal.err(`error: ${problem}`);
    process.exitCode = 1;
  } else if (options.printConfig === true) {
    terminal.out(printedConfig(options).trimEnd());
  } else {
    process.exitCode = await run(runSettings(options));
  }
}
