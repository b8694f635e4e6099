/**
 * `npm run lab:services [CHANGES]`: kills agents at a hundred changes of endpoints of a Service, or at that many, an even number, while connections and datagrams go there from both
 * nodes. Prints the figures as one JSON document; times are milliseconds. Exits with status 1 if an answer was wrong, or anything was lost on a connection. Takes 3 GiB.
 * Run nothing else at the same time.
 */
import { type Killed, killAtChanges } from './killed-agents.ts';
import { ServedCluster } from './served-cluster.ts';
import { type LabService, putBehind, serviceObject, setReady, untilServed } from './served.ts';

const CHANGES = 100;

const web: LabService = { tenant: 'blue', name: 'web', addresses: ['10.96.20.1', 'fd96::2001'] };

const changes = Number(process.argv[2] ?? CHANGES);
if (!Number.isInteger(changes) || changes < 2 || changes % 2 === 1) {
  process.stderr.write('usage: npm run lab:services -- [CHANGES], an even number\n');
  process.exit(1);
}
const served = await ServedCluster.start();
try {
  const { cluster, nodes } = served;
  const [stays, comes] = served.podsOf(web.tenant);
  if (stays === undefined || comes === undefined) throw new Error(`${web.tenant} has no two pods`);
  await setReady(cluster.administrator, comes, false);
  for (const pod of [stays, comes]) putBehind(cluster.lab.server, pod, web.name);
  cluster.lab.server.apply(serviceObject(web));
  await untilServed(nodes, web, 1);
  const report = (killed: Killed) => {
    process.stderr.write(`${JSON.stringify(killed)}\n`);
  };
  const { kills, connections, datagrams } = await killAtChanges(served, web, { stays, comes, changes, report });
  const times = kills.map(({ servedIn }) => servedIn).sort((one, other) => one - other);
  const wrong = kills.flatMap((killed) => killed.wrong);
  const figures = {
    kills: kills.length,
    wrong,
    servedIn: { median: times[Math.floor(times.length / 2)], longest: times.at(-1) },
    connections,
    datagrams,
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  if (wrong.length > 0 || connections.some(({ lost }) => lost > 0)) process.exitCode = 1;
} finally {
  await served.stop();
}
