import { type Command, Option } from 'commander';
import type { Container } from 'inversify';
import {
  checkBy,
  type ObjectCheck,
  offlineCheck,
  validateManifests,
} from '../adapters/manifests/validate-manifests.ts';
import { describeProblem, problemFields } from '../ports/input-problem.ts';
import { type ClusterApiOptions, kubeconfigChoice, withApiServerOptions } from './cluster-api.ts';
import { ports } from './container.ts';
import { progressBar } from './progress.ts';
import { helpText } from './help-text.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-table.ts';

interface ValidateOptions extends ClusterApiOptions {
  readonly output: string;
  readonly server?: true;
}

/** Validates objects by dry runs on the API server. Prints why none is available. */
async function serverCheck(
  options: ValidateOptions,
  container: Container,
  terminal: Terminal,
): Promise<ObjectCheck | undefined> {
  const check = await container.get(ports.serverCheck)(kubeconfigChoice(options));
  if (check.read) return checkBy(check.value);
  for (const problem of check.problems) terminal.err(`error: ${printable(describeProblem(problem))}`);
  return undefined;
}

/** Adds the command `validate`. */
export function addValidate(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('validate')
    .description(
      'Validates objects offline against the schemas and CEL rules, as the API server would, and prints every finding.',
    )
    .argument('<path...>', 'files, folders or - for standard input')
    .addOption(
      new Option('--output <format>', 'text for people, json for programs').choices(['text', 'json']).default('text'),
    )
    .option(
      '--server',
      'validate by a dry run on the API server, with its stored objects and admission policies; nothing is stored',
    );
  withApiServerOptions(command)
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks validate uplink.yaml network.yaml
  kubectl get uplinks -o yaml | ovn-uplinks validate -
  ovn-uplinks validate uplink.yaml --server --kubeconfig ~/.kube/config

A ClusterUserDefinedNetwork is checked as "ovn-uplinks crds" defines it. Where another implementation's CustomResourceDefinition serves the kind, use --server.
Exit status: 0 no finding, 1 findings.`),
    )
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const { output } = options;
      const check = options.server === true ? await serverCheck(options, container, terminal) : offlineCheck;
      if (check === undefined) {
        process.exitCode = 1;
        return;
      }
      const bar = progressBar('reading objects', terminal);
      const { problems, objects, otherKinds } = await validateManifests(paths, process.stdin, bar.update, check);
      bar.end();
      if (output === 'json')
        terminal.out(JSON.stringify({ objects, otherKinds, findings: problems.map(problemFields) }, null, 2));
      else {
        for (const problem of problems) terminal.out(printable(describeProblem(problem)));
        const other = otherKinds === 0 ? '' : `, ${otherKinds} of other kinds`;
        terminal.out(
          `${objects} objects checked${other}: ${problems.length === 0 ? 'all valid' : `${problems.length} findings`}`,
        );
      }
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}
