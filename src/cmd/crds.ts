import { Argument, type Command } from 'commander';
import { dump } from 'js-yaml';
import { type CustomResourceDefinition, customResourceDefinitions } from '../domain/api/custom-resource-definition.ts';
import type { Terminal } from './terminal.ts';

/** The kind of a CustomResourceDefinition as `kubectl get` takes it, such as `uplinks`. */
function pluralOf({ metadata }: CustomResourceDefinition): string {
  return metadata.name.split('.')[0] ?? '';
}

/** An object as a YAML document. */
export function yamlDocument(object: object): string {
  return `---\n${dump(object, { lineWidth: -1, noRefs: true })}`;
}

/** Adds the command `crds`. */
export function addCrds(program: Command, terminal: Terminal): void {
  const all = customResourceDefinitions();
  program
    .command('crds')
    .description('Prints the CustomResourceDefinitions as YAML, for kubectl apply.')
    .addArgument(new Argument('[kind...]', 'kinds to print; all by default').choices(all.map(pluralOf)))
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks crds | kubectl apply --server-side -f -
  ovn-uplinks crds uplinks uplinkstates      # where another implementation serves ClusterUserDefinedNetwork`,
    )
    .action((kinds: readonly string[]) => {
      const printed = all.filter((definition) => kinds.length === 0 || kinds.includes(pluralOf(definition)));
      terminal.out(printed.map(yamlDocument).join('').trimEnd());
    });
}
