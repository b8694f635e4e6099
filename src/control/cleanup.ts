/** Removals by `node --cleanup` beside the entities of a node: before them pods, behind them the settings of ovn-controller. */
import type { ApplyResult } from '../ports/apply-result.ts';
import type { LoadBalancers } from '../ports/node/load-balancers.ts';
import { flowEntity } from '../domain/entities/switch/flow.ts';
import type { ServiceFlows } from '../ports/node/service-flows.ts';
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
 * A loop that first removes what all Services have on bridges and in OVN: nothing else does once their networks are gone. Where either cannot be read, there may be none; the loop reads
 * them too, and fails where there is something to be removed.
 *
 * @param failed takes why it cannot be done
 */
export function withoutServices(
  loop: Loop,
  {
    loadBalancers,
    flows,
  }: {
    readonly loadBalancers: Pick<LoadBalancers, 'read' | 'apply'>;
    readonly flows: Pick<ServiceFlows, 'read' | 'apply'>;
  },
  failed: (error: string) => void,
): Loop {
  const removeFlows = async (): Promise<ApplyResult> => {
    const reading = await flows.read();
    if (!reading.read || reading.value.length === 0) return { done: true };
    return await flows.apply(reading.value.map((flow) => ({ verb: 'remove', entity: flowEntity(flow), networks: [] })));
  };
  const removeLoadBalancers = async (): Promise<ApplyResult> => {
    const reading = await loadBalancers.read();
    const changes = reading.read
      ? reading.value.loadBalancers.map(({ uuid }) => ({ verb: 'remove' as const, uuid }))
      : [];
    return changes.length === 0 ? { done: true } : await loadBalancers.apply(changes);
  };
  const remove = async (): Promise<string | undefined> => {
    for (const step of [removeFlows, removeLoadBalancers]) {
      const result = await step();
      if (!result.done) return result.error;
    }
    return undefined;
  };
  return {
    run: async () => {
      const error = await remove();
      if (error !== undefined) failed(`what Services have cannot be removed: ${error}`);
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
