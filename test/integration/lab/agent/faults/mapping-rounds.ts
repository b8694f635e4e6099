/**
 * mapping-rounds.ts COUNT LOOPS: on a node with the bridge of tenant red, adds and removes its bridge mapping COUNT times, as a loop does,
 * and lets loops set up and remove red LOOPS times. Prints the duration as JSON, and how often the mapping was not as expected.
 */
import { clusterNetworkKey } from '../../../../../src/domain/network/key.ts';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { SwitchDatabase } from '../../../../../src/ports/node/switch-database.ts';
import { saveCluster } from './cluster-file.ts';
import { adapters, close, LoopInProcess } from './loop-in-process.ts';
import { withoutTenants, withTenants } from './scenario.ts';

const FOLDER = '/run/manifests';
const DEADLINE = 60_000;
const [count = 0, loops = 0] = process.argv.slice(2).map(Number);
const opened = adapters(FOLDER);
const { switchDatabase } = opened;
const start = performance.now();
const wrong: string[] = [];

/** Records if the mapping is not in the text exactly once, or not absent. */
async function check(database: SwitchDatabase, what: string, isThere: boolean): Promise<void> {
  const found = await database.read();
  const text = found.read ? (found.value.switchExternalIds['ovn-bridge-mappings'] ?? '') : 'nothing';
  const times = text.split(',').filter((entry) => entry === 'cluster_udn_red:br-red').length;
  if (times !== (isThere ? 1 : 0)) wrong.push(`${what}: ${times} times in ${text}`);
}

for (let round = 1; round <= count; round += 1) {
  const entity = { kind: 'bridge-mapping', networkName: 'cluster_udn_red', bridge: 'br-red' } as const;
  for (const verb of ['add', 'remove'] as const) {
    const result = await switchDatabase.apply({ verb, networks: [clusterNetworkKey('red')], entity });
    if (!result.done) wrong.push(`${verb} of round ${round}: ${result.error}`);
    await check(switchDatabase, `after ${verb} of round ${round}`, verb === 'add');
  }
}
mkdirSync(`${FOLDER}/status/UplinkState`, { recursive: true });
for (let round = 1; round <= loops; round += 1) {
  for (const cluster of [withTenants, withoutTenants]) {
    saveCluster(FOLDER, cluster);
    const loop = new LoopInProcess(hostname(), { folder: FOLDER });
    const event = await loop.next(DEADLINE);
    await loop.stop();
    const failures = loop.reports.flatMap((report) => (report.kind === 'failed' ? [report.error] : []));
    if (event !== 'settled' || failures.length > 0) wrong.push(`${event}, ${failures.join('; ')}`);
    // What another connection has written may not have been reported yet to one that is open.
    const fresh = adapters(FOLDER);
    await check(fresh.switchDatabase, `after loop ${round}`, cluster === withTenants);
    await close(fresh);
  }
}
process.stdout.write(
  `${JSON.stringify({ rounds: count + loops, seconds: (performance.now() - start) / 1000, wrong })}\n`,
);
await close(opened);
