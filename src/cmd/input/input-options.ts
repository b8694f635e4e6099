import type { Command } from 'commander';
import { withNamespaceOption } from './namespaced-names.ts';
import { withApiServerOptions, withRequestTimeout } from './cluster-api.ts';

/** Adds the input options that `plan` and `explain` share. */
export function withInputOptions(command: Command): Command {
  command
    .optionsGroup('Input:')
    .option('--cluster <path...>', 'cluster objects: files, folders or - for standard input');
  withNamespaceOption(command);
  return withRequestTimeout(withApiServerOptions(command)).option(
    '--host <node=dir...>',
    'captured nodes: the name of each, and the folder written by `capture`',
  );
}
