/**
 * repeated-crashes.ts SCENARIO PHASE STEP: lets loops set up or remove the tenants of a scenario, each of which crashes after its STEPth change, until
 * one has nothing left to do. Prints how many crashed. STEP is at least 2: the first change of a loop is often to the ledger, which each creates again.
 */
import { hostname } from 'node:os';
import { saveCluster } from './cluster-file.ts';
import { LoopInProcess } from './loop-in-process.ts';
import { scenarioNamed, type ScenarioName } from './scenarios.ts';

const FOLDER = '/run/manifests';

/** Milliseconds for a loop to have nothing left to do. */
const DEADLINE = 60_000;

const [scenario = '', phase = '', step = '1'] = process.argv.slice(2);
const { withTenants, withoutTenants, northbound } = scenarioNamed(scenario as ScenarioName);
const cluster = phase === 'set-up' ? withTenants : withoutTenants;
const environment = { folder: FOLDER, ...(northbound !== undefined && { northbound }) };

/** Whether the networks of the cluster, and no others, are ready. */
function isDone({ reports }: LoopInProcess): boolean {
  const last = reports.findLast(({ kind }) => kind === 'settled');
  const networks = last?.kind === 'settled' ? [...last.networks] : [];
  const ready = networks.map(([reason, count]) => (reason === 'Ready' ? count : 0));
  return ready.reduce((sum, count) => sum + count, 0) === cluster.clusterUserDefinedNetworks.length;
}

/** Runs a loop until it crashes or has nothing left to do. */
async function run(): Promise<'crashed' | 'done'> {
  const loop = new LoopInProcess(hostname(), environment, { at: Number(step), moment: 'after', isCrash: true });
  const end = performance.now() + DEADLINE;
  for (;;) {
    const event = await loop.next(end - performance.now());
    if (event === 'late')
      throw new Error(`not done after ${DEADLINE / 1000} s: ${JSON.stringify(loop.reports.slice(-5))}`);
    if (event === 'crashed') {
      await loop.abandon();
      return event;
    }
    if (event === 'settled' && isDone(loop)) return (await loop.stop()) === 'crashed' ? 'crashed' : 'done';
  }
}

saveCluster(FOLDER, cluster);
let crashes = 0;
while ((await run()) === 'crashed') crashes += 1;
process.stdout.write(String(crashes));
