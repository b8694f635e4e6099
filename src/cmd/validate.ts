import { type Command, Option } from 'commander';
import { validateManifests } from '../adapters/manifests/validate-manifests.ts';
import { describeProblem, problemFields } from '../ports/input-problem.ts';
import { progressBar } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-table.ts';

/** Adds the command `validate`. */
export function addValidate(program: Command, terminal: Terminal): void {
  program
    .command('validate')
    .description(
      'Validates objects offline against the schemas and CEL rules, as the API server would, and prints every finding.',
    )
    .argument('<path...>', 'files, folders or - for standard input')
    .addOption(
      new Option('--output <format>', 'text for people, json for programs').choices(['text', 'json']).default('text'),
    )
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks validate uplink.yaml network.yaml
  kubectl get uplinks -o yaml | ovn-uplinks validate -

Exit status: 0 no finding, 1 findings.`,
    )
    .action(async (paths: readonly string[], { output }: { readonly output: string }) => {
      const bar = progressBar('reading objects', terminal);
      const { problems, objects, otherKinds } = await validateManifests(paths, process.stdin, bar.update);
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
