/** Agents that are killed while the endpoints of a Service change, under traffic. */
import { setTimeout as pause } from 'node:timers/promises';
import { SteadyTraffic } from '../packets/steady.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import type { ServedCluster } from './served-cluster.ts';
import { type LabService, SERVICE_PORT, setReady, untilServed, wrongAnswers } from './served.ts';

/** Milliseconds after the request for a change of the last kill: by then the change is served. The first one is at once. */
const SPAN = 300;

/** Milliseconds of what follows a kill. */
export interface Killed {
  /** After the request for the change. */
  readonly after: number;
  /** From the kill until the next agent has served the change. */
  readonly servedIn: number;
  /** The differences between the answers that pods get then and those that they should get. */
  readonly wrong: readonly string[];
}

/** The endpoints that change. */
export interface Changes {
  /** The one that is always there, and the only one at first and at the end. */
  readonly stays: StartedPod;
  readonly comes: StartedPod;
  /** How many changes, an even number. */
  readonly changes: number;
  /** Takes what follows each kill. */
  readonly report?: (killed: Killed) => void;
}

/** The traffic over all kills, by stream. */
interface Carried {
  readonly sent: number;
  readonly lost: number;
}

/** The result of all kills. */
export interface Kills {
  readonly kills: readonly Killed[];
  /** Connections of TCP to the endpoint that is always there. */
  readonly connections: readonly Carried[];
  /** Of UDP, which move between endpoints; an answer that is under way then is lost. */
  readonly datagrams: readonly Carried[];
}

/**
 * Adds and removes an endpoint of a Service by turns, and kills an agent at each change, on each node by turns, at moments that are spread over the time that a change takes. Before the
 * next change, another agent has served it, and pods on both nodes reach exactly the endpoints that there are.
 */
export async function killAtChanges(
  served: ServedCluster,
  service: LabService,
  { stays, comes, changes, report = () => undefined }: Changes,
): Promise<Kills> {
  const { cluster, nodes } = served;
  const pods = served.podsOf(service.tenant);
  const traffic = await Promise.all(
    pods.map((pod) =>
      SteadyTraffic.start(
        pod.node,
        service.addresses.flatMap((to) =>
          [{ protocol: 'tcp' as const }, {}].map((protocol) => ({
            from: namespaceOf(pod),
            to,
            port: SERVICE_PORT,
            rate: 20,
            ...protocol,
          })),
        ),
      ),
    ),
  );
  const kills: Killed[] = [];
  for (let change = 0; change < changes; change++) {
    const node = nodes[Math.floor(change / 2) % nodes.length]!;
    const isThere = change % 2 === 0;
    const after = Math.round((SPAN * change) / Math.max(1, changes - 1));
    const changed = setReady(cluster.administrator, comes, isThere);
    await pause(after);
    const begin = performance.now();
    await cluster.agentOf(node).stop('SIGKILL');
    await changed;
    await cluster.restartAgent(node);
    await untilServed(nodes, service, isThere ? 2 : 1);
    const servedIn = Math.round(performance.now() - begin);
    const endpoints = isThere ? [stays, comes] : [stays];
    const wrong = await wrongAnswers(pods, service, () => endpoints, { protocols: ['tcp', 'udp'] });
    // Datagrams of the streams, whose connections may be older than the change.
    if (!isThere)
      for (const each of traffic)
        for (const stream of [1, 3])
          await each.until([], `${stream} answers ${namespaceOf(stays)}(?!.*\\n${stream} answers)`);
    kills.push({ after, servedIn, wrong });
    report({ after, servedIn, wrong });
  }
  const summaries = (await Promise.all(traffic.map((each) => each.stop()))).flat();
  const carried = summaries.map(({ sent, lost }) => ({ sent, lost }));
  return {
    kills,
    connections: carried.filter((_, stream) => stream % 2 === 0),
    datagrams: carried.filter((_, stream) => stream % 2 === 1),
  };
}
