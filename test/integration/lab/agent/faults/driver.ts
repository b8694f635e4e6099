/**
 * driver.ts FAULT FIRST STEP: runs on a node that has the bridges of both tenants. Lets a loop set both networks up and take them away once
 * undisturbed, and then with a fault at every STEPth change of it from the FIRST on, and says, a line of JSON for each time, in what the end differs.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { observe } from '../../../../../src/control/node/observe.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { describeProblem } from '../../../../../src/ports/input-problem.ts';
import { leftovers } from '../leftovers.ts';
import { manifestText } from '../manifest-text.ts';
import { countDifferences, ledgerDifferences, withoutTapStates, withSortedMappings } from './node-differences.ts';
import { type FaultName, faultOf } from './faults.ts';
import { adapters, LoopInProcess, type PlannedFault } from './loop-in-process.ts';
import { withoutTenants, withTenants } from './scenario.ts';
import type { ArgumentVector } from '../../node.ts';

const FOLDER = '/run/manifests';

/** Milliseconds in which a node has to be as it should. */
const DEADLINE = 30_000;

const [name = 'crash', first = '1', step = '1'] = process.argv.slice(2);
const fault = faultOf(name as FaultName);
const nodeName = hostname();
const watching = adapters(FOLDER);

async function run([program = '', ...words]: ArgumentVector): Promise<void> {
  await promisify(execFile)(program, words);
}

async function snapshot(): Promise<NodeSnapshot> {
  const observation = await observe(watching, nodeName);
  if (!observation.read) throw new Error(observation.problems.map(describeProblem).join('; '));
  const node = withoutTapStates(observation.value.node);
  return fault.hasTenantsWait === true ? withSortedMappings(node) : node;
}

let current: LoopInProcess | undefined;
// What the loop knows of the database already we may have yet to hear.
watching.switchDatabase.onChange(() => current?.wake());

function watched(loop: LoopInProcess): LoopInProcess {
  current = loop;
  return loop;
}

function save(cluster: ClusterSnapshot): void {
  writeFileSync(`${FOLDER}/.cluster.new`, manifestText(cluster));
  renameSync(`${FOLDER}/.cluster.new`, `${FOLDER}/cluster.yaml`);
}

/** What the node is to be like; `undefined` where that is yet to be seen. */
type Wanted = NodeSnapshot | undefined;

/** What a loop is still off once it has settled, for as long as there may be more to come. */
async function converge(loop: LoopInProcess, wanted: Wanted): Promise<readonly string[] | 'crashed'> {
  const end = performance.now() + DEADLINE;
  let hasSettled = false;
  for (;;) {
    const event = await loop.next(end - performance.now());
    if (event === 'crashed') return event;
    hasSettled ||= event === 'settled';
    // A node may be as it should before the loop has come to the change at which something happens.
    if (!hasSettled && event === 'woken') continue;
    if (wanted === undefined) return [];
    const found = await snapshot().catch((error: unknown) => String(error));
    const off =
      typeof found === 'string' ? [found] : [...leftovers(wanted, found), ...ledgerDifferences(wanted, found)];
    if (off.length === 0) return [];
    if (event === 'late') return off;
  }
}

interface Phase {
  readonly changes: number;
  readonly made: readonly string[];
  readonly off: readonly string[];
  readonly says: readonly string[];
}

function saidBy({ reports }: LoopInProcess): readonly string[] {
  return reports.flatMap((report) =>
    report.kind === 'failed' || report.kind === 'refused'
      ? [`${report.kind}: ${report.error}`]
      : report.kind === 'network'
        ? [`${report.network}: ${report.reason}`]
        : [],
  );
}

/** Brings the node to what a cluster wants, by one loop, or by two where the first crashes. */
async function bring(cluster: ClusterSnapshot, wanted: Wanted, at?: number): Promise<Phase> {
  save(cluster);
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
  const loop = watched(new LoopInProcess(nodeName, FOLDER, planned));
  const others: string[] = [];
  if (fault.repair !== undefined && planned !== undefined) {
    await repair.promise;
    // What is missing keeps nobody else waiting.
    others.push(...(await untilSaid(loop, cluster === withTenants ? fault.meanwhile : [])));
    for (const words of fault.repair) await run(words);
  }
  const off = await converge(loop, wanted);
  // The last change of all comes after the word that everything is done.
  if (off !== 'crashed' && (await loop.stop()) === 'ended') {
    return { changes: loop.changes.count, made: loop.changes.made, off: [...others, ...off], says: saidBy(loop) };
  }
  if (off === 'crashed') await loop.abandon();
  const next = watched(new LoopInProcess(nodeName, FOLDER));
  const stillOff = await converge(next, wanted);
  await next.stop();
  return {
    changes: loop.changes.count + next.changes.count,
    made: [...loop.changes.made, ...next.changes.made],
    off: stillOff === 'crashed' ? [] : stillOff,
    says: saidBy(next),
  };
}

/** Waits until a loop has settled, and the last that it has said of some networks is something. */
async function untilSaid(loop: LoopInProcess, wanted: readonly string[]): Promise<readonly string[]> {
  const end = performance.now() + DEADLINE;
  for (;;) {
    const event = await loop.next(end - performance.now());
    if (event === 'woken') continue;
    const said = saidBy(loop);
    const lastOf = (network = '') => said.findLast((line) => line.startsWith(`${network}:`));
    const missing = wanted.filter((line) => lastOf(line.split(':')[0]) !== line);
    if (missing.length === 0) return [];
    if (event !== 'settled') return missing.map((line) => `never said ${line}, but ${said.join(', ')}`);
  }
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** What came of a fault in a phase, in a line. */
function tell(phase: string, at: number, begin: number, { off, says }: Phase, counts: readonly string[] = []): void {
  const milliseconds = Math.round(performance.now() - begin);
  const isFine = off.length === 0 && counts.length === 0;
  say({ phase, at, milliseconds, off, counts, ...(!isFine && { says }) });
}

/** Sets both networks up and takes them away, with a fault each time. */
async function disturbBoth(at: number): Promise<void> {
  for (const { phase, undisturbed, cluster, wanted } of phases) {
    const point = at <= undisturbed.changes ? at : undefined;
    const begin = performance.now();
    const result = await bring(cluster, wanted, point);
    if (point === undefined) continue;
    tell(phase, point, begin, result, fault.keepsCounts ? countDifferences(undisturbed.made, result.made) : []);
  }
}

/** Sets both networks up and takes them away, with a fault in one phase, and looks whether all of it is there in the end. */
async function disturbOneOf(at: number, takenBack: readonly ArgumentVector[]): Promise<void> {
  for (const { phase, undisturbed } of phases.filter(({ undisturbed: { changes } }) => at <= changes)) {
    const begin = performance.now();
    const there = await bring(withTenants, undefined, phase === 'set-up' ? at : undefined);
    const away = await bring(withoutTenants, undefined, phase === 'removal' ? at : undefined);
    // How many changes there are differs by a few from time to time: this time there were fewer.
    if ((phase === 'set-up' ? there : away).changes < at) continue;
    const missing: string[] = [];
    for (const words of takenBack) {
      await run(words).catch((error: unknown) => missing.push(String(error).trim()));
    }
    const { off, says } = await bring(withoutTenants, clean);
    const before = undisturbed.made[at] ?? '';
    tell(phase, at, begin, {
      ...away,
      off: [...missing, ...off],
      says: [before, ...there.says, ...away.says, ...says],
    });
  }
}

mkdirSync(`${FOLDER}/status/UplinkState`, { recursive: true });
// The rules that the kernel makes with the first VRF stay, and so does an empty ledger: what is clean is what is left after a first time.
await bring(withTenants, undefined);
await bring(withoutTenants, undefined);
const clean = await snapshot();
const setUp = await bring(withTenants, undefined);
const programmed = await snapshot();
const removal = await bring(withoutTenants, clean);
say({ setUp: setUp.changes, removal: removal.changes, made: setUp.made.length, off: removal.off });
const phases = [
  { phase: 'set-up', undisturbed: setUp, cluster: withTenants, wanted: programmed },
  { phase: 'removal', undisturbed: removal, cluster: withoutTenants, wanted: clean },
] as const;
for (let at = Number(first); at <= Math.max(setUp.changes, removal.changes); at += Number(step)) {
  if (fault.takenBack === undefined) await disturbBoth(at);
  else await disturbOneOf(at, fault.takenBack);
}
const { hostNetwork, switchDatabase, resourceStore } = watching;
await Promise.all([hostNetwork.close(), switchDatabase.close(), resourceStore.close()]);
