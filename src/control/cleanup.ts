/** Removals by `node --cleanup` beside the entities of a node: before them pods, behind them the settings of ovn-controller. */
import type { ApplyResult } from '../ports/apply-result.ts';
import type { LoadBalancers } from '../ports/node/load-balancers.ts';
import type { PodReport } from '../ports/pods/pod-report.ts';
import type { Loop } from './cluster/leading.ts';
import { detachAll } from './pods/detach.ts';
import type { PodDatabases } from './pods/pod-ports.ts';
import { unixTime } from './time.ts';

/** A loop that first detaches all pods from the networks that ovn-uplinks has provided. */
export function afterDetaching(
  loop: Loop,
  { logicalPorts, switchPorts, locks }: PodDatabases,
  report: (report: PodReport) => void,
): Loop {
  return {
    run: async () => {
      const attempt = await detachAll({ logicalPorts, switchPorts, locks, now: unixTime, report });
      if (!attempt.ok) {
        const { message, details } = attempt.error;
        report({ kind: 'detach-failed', error: `${message}: ${details}` });
      }
      const isDone = await loop.run();
      return attempt.ok && isDone;
    },
    stop: () => loop.stop(),
  };
}

/**
 * A loop that first removes the load balancers of all Services: nothing else does once their networks are gone. Where the database cannot be read, there may be no OVN; the loop reads it
 * too, and fails where there is something in it to be removed.
 *
 * @param failed takes why it cannot be done
 */
export function withoutServices(
  loop: Loop,
  loadBalancers: Pick<LoadBalancers, 'read' | 'apply'>,
  failed: (error: string) => void,
): Loop {
  const remove = async (): Promise<string | undefined> => {
    const reading = await loadBalancers.read();
    if (!reading.read) return undefined;
    const changes = reading.value.loadBalancers.map(({ uuid }) => ({ verb: 'remove' as const, uuid }));
    const result = changes.length === 0 ? ({ done: true } as const) : await loadBalancers.apply(changes);
    return result.done ? undefined : result.error;
  };
  return {
    run: async () => {
      const error = await remove();
      if (error !== undefined) failed(`the load balancers of Services cannot be removed: ${error}`);
      const isDone = await loop.run();
      return error === undefined && isDone;
    },
    stop: () => loop.stop(),
  };
}

/**
 * A loop after which the settings of ovn-controller are removed: it needs them to take what the loop removes from the switch.
 *
 * @param remove does that
 * @param failed takes why it cannot be done
 */
export function beforeSettings(loop: Loop, remove: () => Promise<ApplyResult>, failed: (error: string) => void): Loop {
  return {
    run: async () => {
      if (!(await loop.run())) return false;
      const result = await remove();
      if (!result.done) failed(result.error);
      return result.done;
    },
    stop: () => loop.stop(),
  };
}
