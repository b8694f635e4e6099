/**
 * mapping-rounds.ts COUNT: on a node with the bridge of tenant red, has a loop set red up and take it away COUNT times. Prints as JSON how long that
 * took, and how often the entry of red was not what it should be.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { manifestText } from '../manifest-text.ts';
import { adapters, LoopInProcess } from './loop-in-process.ts';
import { withoutTenants, withTenants } from './scenario.ts';

const FOLDER = '/run/manifests';
const DEADLINE = 60_000;
const count = Number(process.argv[2]);
const watching = adapters(FOLDER);
const begin = performance.now();
const wrong: string[] = [];

mkdirSync(`${FOLDER}/status/UplinkState`, { recursive: true });
for (let round = 1; round <= count; round += 1) {
  const isThere = round % 2 === 1;
  writeFileSync(`${FOLDER}/.cluster.new`, manifestText(isThere ? withTenants : withoutTenants));
  renameSync(`${FOLDER}/.cluster.new`, `${FOLDER}/cluster.yaml`);
  const loop = new LoopInProcess(hostname(), FOLDER);
  const event = await loop.next(DEADLINE);
  const failures = loop.reports.flatMap((report) => (report.kind === 'failed' ? [report.error] : []));
  await loop.stop();
  const found = await watching.switchDatabase.read();
  const text = found.read ? (found.value.switchExternalIds['ovn-bridge-mappings'] ?? '') : 'nothing';
  const entries = text.split(',').filter((entry) => entry === 'cluster_udn_red:br-red').length;
  if (event !== 'settled' || failures.length > 0 || entries !== (isThere ? 1 : 0)) {
    wrong.push(`round ${round}: ${event}, ${failures.join('; ')}, ${text}`);
  }
}
process.stdout.write(`${JSON.stringify({ rounds: count, seconds: (performance.now() - begin) / 1000, wrong })}\n`);
const { hostNetwork, switchDatabase, resourceStore } = watching;
await Promise.all([hostNetwork.close(), switchDatabase.close(), resourceStore.close()]);
