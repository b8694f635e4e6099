import type { Command } from 'commander';
import type { Container } from 'inversify';
import {
  checkBy,
  comparedKinds,
  type ObjectCheck,
  offlineCheck,
  type StoredNetworks,
  validateManifests,
} from '../../adapters/manifests/validate-manifests.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { counted } from '../../domain/basics/names/counted.ts';
import { defaultSettings } from '../../domain/index.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import { describeProblem, problemFields } from '../../ports/input-problem.ts';
import {
  apiServerOf,
  placeOf,
  type ClusterApiOptions,
  waitingFor,
  withApiServerOptions,
  withRequestTimeout,
} from '../input/cluster-api.ts';
import { type KubeconfigChoice, ports } from '../ports/container.ts';
import { readOnce } from '../input/inputs.ts';
import { type OutputFormat, printDocument, withOutputOption } from '../output/output-format.ts';
import { progressBar } from '../output/progress.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

interface ValidateOptions extends ClusterApiOptions {
  readonly output: OutputFormat;
  readonly server?: true;
}

/** The check by which objects are validated, and the networks that are stored beside them. */
interface Validator {
  readonly check: ObjectCheck;
  readonly stored?: () => Promise<StoredNetworks | undefined>;
}

/** The networks and namespaces of a cluster; undefined where they cannot be read, which is said: the objects can be checked without them. */
async function storedNetworks(choice: KubeconfigChoice, container: Container, terminal: Terminal) {
  const unread = (Object.keys(kinds) as KindKey[]).filter((key) => !comparedKinds.has(key));
  // UserDefinedNetworks are read for provided networks only.
  const scope = { unread, claimsNamespace: defaultSettings.namespace };
  const store = await container.get(ports.kubernetesStore)(choice, scope);
  const reading = store.read ? await readOnce(store.value) : store;
  if (reading.read) return reading.value.snapshot;
  for (const problem of reading.problems)
    terminal.err(`warning: not compared with stored networks: ${printable(describeProblem(problem))}`);
  return undefined;
}

/** Validates objects by dry runs on the API server. Prints why none is available. */
async function serverValidator(
  options: ValidateOptions,
  container: Container,
  terminal: Terminal,
): Promise<Validator | undefined> {
  const choice = apiServerOf(options);
  if (choice === undefined) {
    terminal.err('error: --server: expected --kubeconfig FILE, as there is no kubeconfig file that kubectl would use');
    return undefined;
  }
  const check = await container.get(ports.serverCheck)(choice);
  const waitFor = waitingFor(`the API server of ${placeOf(choice)}`, terminal);
  if (check.read) {
    return {
      check: checkBy((object) => waitFor(check.value(object))),
      stored: () => waitFor(storedNetworks(choice, container, terminal)),
    };
  }
  for (const problem of check.problems) terminal.err(`error: ${printable(describeProblem(problem))}`);
  return undefined;
}

/** The result, in a line. */
function validationSummary(objects: number, findings: number): string {
  if (objects === 0 && findings === 0)
    return 'no object checked: expected at least one of a kind that ovn-uplinks reads';
  return `${counted(objects, 'object')} checked: ${findings === 0 ? 'all valid' : counted(findings, 'finding')}`;
}

/** Adds the command `validate`. */
export function addValidate(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('validate')
    .description(
      'Validates objects offline against the schemas and CEL rules, as the API server would, and prints every finding.',
    )
    .argument('<path...>', 'files, folders or - for standard input')
    .option(
      '--server',
      'validate by a dry run on the API server, with its stored objects and admission policies; nothing is stored',
    );
  withRequestTimeout(withApiServerOptions(withOutputOption(command)))
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks validate uplink.yaml network.yaml
  kubectl get uplinks -o yaml | ovn-uplinks validate -
  ovn-uplinks validate uplink.yaml --server

A ClusterUserDefinedNetwork is checked as "ovn-uplinks crds" defines it. Where another implementation's CustomResourceDefinition serves the kind, use --server.
Objects of other kinds are named, and not checked. Warnings are about what the API server accepts, and is perhaps not meant.
Exit status: 0 no finding, 1 findings, no object that is checked, or an API server that cannot be asked.`),
    )
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const { output } = options;
      const validator: Validator | undefined =
        options.server === true ? await serverValidator(options, container, terminal) : { check: offlineCheck };
      if (validator === undefined) {
        process.exitCode = 1;
        return;
      }
      const bar = progressBar('reading objects', terminal);
      const { problems, warnings, objects, otherKinds, failure } = await validateManifests(
        paths,
        process.stdin,
        bar.update,
        validator.check,
        validator.stored,
      );
      bar.end();
      if (failure !== undefined) {
        terminal.err(`error: ${printable(failure)}`);
        process.exitCode = 1;
        return;
      }
      const others = [...otherKinds].sort(by(([kind]) => kind));
      if (output !== 'text') {
        const document = {
          objects,
          otherKinds: others.reduce((sum, [, count]) => sum + count, 0),
          others: Object.fromEntries(others),
          findings: problems.map(problemFields),
          warnings: warnings.map(problemFields),
        };
        printDocument(document, output, terminal);
      } else {
        for (const warning of warnings) terminal.err(`warning: ${printable(describeProblem(warning))}`);
        for (const problem of problems) terminal.out(printable(describeProblem(problem)));
        if (others.length > 0) {
          const listed = others.map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`));
          terminal.out(printable(`not checked: ${listed.join(', ')}`));
        }
        terminal.out(validationSummary(objects, problems.length));
      }
      process.exitCode = problems.length === 0 && objects > 0 ? 0 : 1;
    });
}
