import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { fileError } from '../../adapters/file-system/file-error.ts';
import { installProgram } from '../../adapters/file-system/install-program.ts';
import { CNI_PLUGIN } from '../../domain/basics/conventions.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';

/** Where the image has the plugin: beside the program. */
const PLUGIN = resolve(import.meta.dirname, '../..', CNI_PLUGIN);

/** Adds the command `install-cni-plugin`. */
export function addInstallCniPlugin(program: Command, _container: Container, terminal: Terminal): void {
  program
    .command('install-cni-plugin')
    .description(
      'Copies the CNI plugin of the image to a folder, where the container runtime of the node looks for plugins.',
    )
    .argument('[folder]', 'folder of the plugins', '/opt/cni/bin')
    .option('--plugin <file>', 'the plugin', PLUGIN)
    .addHelpText(
      'after',
      helpText(`
It replaces another version of the plugin atomically, and writes nothing if the same one is there.

Examples:
  ovn-uplinks install-cni-plugin /host/opt/cni/bin`),
    )
    .action(async (folder: string, { plugin }: { readonly plugin: string }) => {
      try {
        const isWritten = await installProgram(plugin, folder);
        terminal.out(`${folder}/${CNI_PLUGIN} ${isWritten ? 'is written' : 'is unchanged'}`);
      } catch (error) {
        terminal.err(`error: the plugin ${plugin} cannot be copied to ${folder}: ${fileError(error)}`);
        process.exitCode = 1;
      }
    });
}
