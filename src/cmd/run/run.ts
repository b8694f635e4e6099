import type { Command } from 'commander';
import {
  effectiveOptions,
  type FurtherSettings,
  printedConfig,
  type RunSettings,
  runSettings,
} from '../input/settings.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

/**
 * Runs a command with the effective settings, or prints them on request; the action returns the exit status.
 *
 * @param otherwise reads settings where no file is named
 */
export async function runWithSettings(
  command: Command,
  terminal: Terminal,
  run: (settings: RunSettings) => Promise<number>,
  otherwise?: () => Promise<FurtherSettings>,
): Promise<void> {
  const effective = await effectiveOptions(command, otherwise);
  if ('problems' in effective) {
    for (const problem of effective.problems) terminal.err(`error: ${printable(problem)}`);
    process.exitCode = 1;
    return;
  }
  const { options, warnings, source } = effective;
  if (source !== undefined) terminal.err(printable(source));
  for (const warning of warnings) terminal.err(`warning: ${printable(warning)}`);
  if (options.printConfig === true) {
    terminal.out(printedConfig(options).trimEnd());
  } else {
    process.exitCode = await run(runSettings(options));
  }
}
