import { Argument, type Command } from 'commander';
import type { Container } from 'inversify';
import { dump } from 'js-yaml';
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
} from '../../domain/api/definitions/custom-resource-definition.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';

/** The kind of a CustomResourceDefinition as `kubectl get` takes it, such as `uplinks`. */
function pluralOf({ metadata }: CustomResourceDefinition): string {
  return metadata.name.split('.')[0] ?? '';
}

/** An object as a YAML document. */
export function yamlDocument(object: object): string {
  return `---\n${dump(object, { lineWidth: -1, noRefs: true })}`;
}

/** Adds the command `crds`. */
export function addCrds(program: Command, _container: Container, terminal: Terminal): void {
  const all = customResourceDefinitions();
  program
    .command('crds')
    .description('Prints the CustomResourceDefinitions as YAML, for kubectl apply.')
    .addArgument(new Argument('[kind...]', 'kinds to print; all by default').choices(all.map(pluralOf)))
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks crds | kubectl apply --server-side -f -

Where another implementation serves ClusterUserDefinedNetwork:
  ovn-uplinks crds uplinks uplinkstates`),
    )
    .action((kinds: readonly string[]) => {
      const printed = all.filter((definition) => kinds.length === 0 || kinds.includes(pluralOf(definition)));
      terminal.out(printed.map(yamlDocument).join('').trimEnd());
    });
}
