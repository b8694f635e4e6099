/**
 * driver.ts SCENARIO FAULT FIRST STEP: runs on a node with the bridges of both tenants. Lets a loop set up and remove both networks, once
 * undisturbed and then with the fault at every STEPth change, from the FIRST on. Prints for each run, as a line of JSON, how the result
 * differs, and whose packets are not answered.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { observe } from '../../../../../src/control/node/observation/observe.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { describeProblem } from '../../../../../src/ports/input-problem.ts';
import { leftovers } from '../leftovers.ts';
import { expectedAnswers, summary } from '../../packets/clients.ts';
import { type Answers, PORT } from '../../packets/exchange.ts';
import { saveCluster } from './cluster-file.ts';
import { countDifferences, datapathDifferences, ledgerDifferences, withSortedMappings } from './node-differences.ts';
import { type FaultName, faultNamed } from './faults.ts';
import { adapters, close, LoopInProcess, type PlannedFault } from './loop-in-process.ts';
import { scenarioNamed, type ScenarioName } from './scenarios.ts';
import type { ArgumentVector } from '../../node.ts';

const FOLDER = '/run/manifests';

/** Milliseconds for a node to reach its expected state. */
const DEADLINE = 90_000;

const [scenario = 'host', name = 'crash', first = '1', step = '1'] = process.argv.slice(2);
const fault = faultNamed(name as FaultName);
const { withTenants, withoutTenants, clients, ...rest } = scenarioNamed(scenario as ScenarioName);
const environment = { ...rest, folder: FOLDER };
const nodeName = hostname();
const nodePorts = adapters(FOLDER, rest.northbound);

async function run([program = '', ...words]: ArgumentVector): Promise<void> {
  await promisify(execFile)(program, words);
}

async function snapshot(): Promise<NodeSnapshot> {
  const observation = await observe(nodePorts, nodeName);
  if (!observation.read) throw new Error(observation.problems.map(describeProblem).join('; '));
  const { node } = observation.value;
  return fault.hasTenantsWait === true ? withSortedMappings(node) : node;
}

/** Whose packets are not answered as they should be. */
async function packetProblems(): Promise<readonly string[]> {
  if (clients.length === 0) return [];
  const cases = expectedAnswers(clients, { protocol: 'udp', rounds: 3 });
  const run = promisify(execFile)(resolve(import.meta.dirname, '../../inside/exchange.py'));
  run.child.stdin?.end(JSON.stringify(cases.map(({ exchange }) => ({ port: PORT, ...exchange }))));
  const answers = JSON.parse((await run).stdout) as readonly Answers[];
  return cases.flatMap(({ exchange, expected }, index) => {
    const found = summary(answers[index]!);
    return isDeepStrictEqual(found, expected) ? [] : [`${JSON.stringify(exchange)}: ${JSON.stringify(found)}`];
  });
}

let current: LoopInProcess | undefined;
// The loop may have received a change of the database before we do.
nodePorts.switchDatabase.onChange(() => current?.wake());

function asCurrent(loop: LoopInProcess): LoopInProcess {
  current = loop;
  return loop;
}

/** The expected node; `undefined` if it is not known yet. */
type Expected = NodeSnapshot | undefined;

/** The differences to the expected node, once a loop has settled and no further change follows. */
async function differencesAfter(loop: LoopInProcess, expected: Expected): Promise<readonly string[] | 'crashed'> {
  const end = performance.now() + DEADLINE;
  let hasSettled = false;
  for (;;) {
    const event = await loop.next(end - performance.now());
    if (event === 'crashed') return event;
    hasSettled ||= event === 'settled';
    // The node may be as expected before the loop reaches the change with the fault.
    if (!hasSettled && event === 'woken') continue;
    if (expected === undefined) return [];
    const found = await snapshot().catch((error: unknown) => String(error));
    const differences =
      typeof found === 'string'
        ? [found]
        : [
            ...leftovers(expected, found),
            ...ledgerDifferences(expected, found),
            ...datapathDifferences(expected, found),
          ];
    if (differences.length === 0) return [];
    if (event === 'late') return differences;
  }
}

interface Phase {
  readonly changes: number;
  readonly applied: readonly string[];
  readonly differences: readonly string[];
  readonly reports: readonly string[];
}

function reportsOf({ reports }: LoopInProcess): readonly string[] {
  return reports.flatMap((report) =>
    report.kind === 'failed' || report.kind === 'refused'
      ? [`${report.kind}: ${report.error}`]
      : report.kind === 'network'
        ? [`${report.network}: ${report.reason}`]
        : [],
  );
}

/** Changes the node as a cluster requires, with one loop, or with two if the first one crashes, and has packets answered. */
async function converge(cluster: ClusterSnapshot, expected: Expected, at?: number): Promise<Phase> {
  const phase = await changed(cluster, expected, at);
  const problems = cluster === withTenants ? await packetProblems() : [];
  return { ...phase, differences: [...phase.differences, ...problems] };
}

async function changed(cluster: ClusterSnapshot, expected: Expected, at: number | undefined): Promise<Phase> {
  saveCluster(FOLDER, cluster);
  const repair = Promise.withResolvers<undefined>();
  const planned: PlannedFault | undefined =
    at === undefined
      ? undefined
      : {
          at,
          moment: fault.moment,
          isCrash: fault.isCrash,
          action: async () => {
            for (const words of fault.commands) await run(words);
            repair.resolve(undefined);
          },
        };
  const loop = asCurrent(new LoopInProcess(nodeName, environment, planned));
  const missingReports: string[] = [];
  if (fault.repair !== undefined && planned !== undefined) {
    await repair.promise;
    // A missing bridge must not delay the other tenant.
    missingReports.push(...(await untilReported(loop, cluster === withTenants ? fault.reports : [])));
    for (const words of fault.repair) await run(words);
  }
  const differences = await differencesAfter(loop, expected);
  // The last change comes after the report that everything is done.
  if (differences !== 'crashed' && (await loop.stop()) === 'ended') {
    return {
      changes: loop.changes.count,
      applied: loop.changes.applied,
      differences: [...missingReports, ...differences],
      reports: reportsOf(loop),
    };
  }
  if (differences === 'crashed') await loop.abandon();
  const next = asCurrent(new LoopInProcess(nodeName, environment));
  const differencesThen = await differencesAfter(next, expected);
  await next.stop();
  return {
    changes: loop.changes.count + next.changes.count,
    applied: [...loop.changes.applied, ...next.changes.applied],
    differences: differencesThen === 'crashed' ? [] : differencesThen,
    reports: reportsOf(next),
  };
}

/** Waits until a loop has settled, and its last reports on some networks are as expected. */
async function untilReported(loop: LoopInProcess, expected: readonly string[]): Promise<readonly string[]> {
  const end = performance.now() + DEADLINE;
  for (;;) {
    const event = await loop.next(end - performance.now());
    if (event === 'woken') continue;
    const reports = reportsOf(loop);
    const lastOf = (network = '') => reports.findLast((line) => line.startsWith(`${network}:`));
    const missing = expected.filter((line) => lastOf(line.split(':')[0]) !== line);
    if (missing.length === 0) return [];
    if (event !== 'settled') return missing.map((line) => `expected report ${line}, found ${reports.join(', ')}`);
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Prints the result of a fault in a phase. */
function printResult(
  phase: string,
  at: number,
  start: number,
  { differences, reports }: Phase,
  counts: readonly string[] = [],
): void {
  const milliseconds = Math.round(performance.now() - start);
  const isFine = differences.length === 0 && counts.length === 0;
  print({ phase, at, milliseconds, differences, counts, ...(!isFine && { reports }) });
}

/** Sets up and removes both networks, with a fault in each phase. */
async function disturbBothPhases(at: number): Promise<void> {
  for (const { phase, undisturbed, cluster, expected } of phases) {
    const point = at <= undisturbed.changes ? at : undefined;
    const start = performance.now();
    const result = await converge(cluster, expected, point);
    if (point === undefined) continue;
    printResult(
      phase,
      point,
      start,
      result,
      fault.keepsCounts ? countDifferences(undisturbed.applied, result.applied) : [],
    );
  }
}

/** Sets up and removes both networks, with a fault in one phase, and undoes the administrator's changes, which must all be there. */
async function disturbOnePhase(at: number, undo: readonly ArgumentVector[]): Promise<void> {
  for (const { phase, undisturbed } of phases.filter(({ undisturbed: { changes } }) => at <= changes)) {
    const start = performance.now();
    const afterSetUp = await converge(withTenants, undefined, phase === 'set-up' ? at : undefined);
    const afterRemoval = await converge(withoutTenants, undefined, phase === 'removal' ? at : undefined);
    // The number of changes varies slightly: this time there were fewer.
    if ((phase === 'set-up' ? afterSetUp : afterRemoval).changes < at) continue;
    const missing: string[] = [];
    for (const words of undo) {
      await run(words).catch((error: unknown) => missing.push(String(error).trim()));
    }
    const { differences, reports } = await converge(withoutTenants, clean);
    const before = undisturbed.applied[at] ?? '';
    printResult(phase, at, start, {
      ...afterRemoval,
      differences: [...missing, ...differences],
      reports: [before, ...afterSetUp.reports, ...afterRemoval.reports, ...reports],
    });
  }
}

mkdirSync(`${FOLDER}/status/UplinkState`, { recursive: true });
// After a first run the node has the kernel's rules for VRFs and an empty ledger, which stay.
await converge(withTenants, undefined);
await converge(withoutTenants, undefined);
const clean = await snapshot();
const setUp = await converge(withTenants, undefined);
const programmed = await snapshot();
const removal = await converge(withoutTenants, clean);
print({
  setUp: setUp.changes,
  removal: removal.changes,
  applied: setUp.applied.length,
  differences: [...setUp.differences, ...removal.differences],
});
const phases = [
  { phase: 'set-up', undisturbed: setUp, cluster: withTenants, expected: programmed },
  { phase: 'removal', undisturbed: removal, cluster: withoutTenants, expected: clean },
] as const;
for (let at = Number(first); at <= Math.max(setUp.changes, removal.changes); at += Number(step)) {
  if (fault.undo === undefined) await disturbBothPhases(at);
  else await disturbOnePhase(at, fault.undo);
}
await close(nodePorts);
