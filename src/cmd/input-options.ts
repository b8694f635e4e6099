import type { Command } from 'commander';

/** Adds the input options that `plan` and `explain` share. */
export function withInputOptions(command: Command): Command {
  return command
    .optionsGroup('Input:')
    .option('--cluster <path...>', 'cluster objects: files, folders or - for standard input')
    .option('--host <node=dir...>', 'captured nodes: the name of each, and the folder that `capture` made');
}
