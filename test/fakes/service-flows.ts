import { flowKey } from '../../src/domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../src/domain/snapshot/datapath.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { Changes } from '../../src/ports/changes.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { ServiceFlows } from '../../src/ports/node/service-flows.ts';

type FlowChanges = Parameters<ServiceFlows['apply']>[0];

const idOf = ({ bridge, ...flow }: BridgeFlow) => `${bridge} ${flowKey(flow)}`;

/** Flows of Services in memory. */
export class FakeServiceFlows implements ServiceFlows {
  /** Those that there are. */
  list: readonly BridgeFlow[] = [];
  /** The changes of each bundle that was made. */
  readonly bundles: FlowChanges[] = [];
  isAway = false;
  /** Whether the switch refuses a flow. */
  isRefused: (flow: BridgeFlow) => boolean = () => false;
  /** Whether the port of a flow has no number yet. */
  isAwaited: (flow: BridgeFlow) => boolean = () => false;
  readonly #changes = new Changes();

  read(): Promise<Reading<readonly BridgeFlow[]>> {
    if (this.isAway)
      return Promise.resolve({
        read: false,
        problems: [{ origin: { kind: 'file', file: 'br-blue.mgmt' }, message: 'cannot be reached' }],
      });
    return Promise.resolve({ read: true, value: this.list });
  }

  apply(changes: FlowChanges): Promise<ApplyResult> {
    if (this.isAway) return Promise.resolve({ done: false, error: 'cannot be reached', isUnavailable: true });
    const refused = changes.filter(({ entity }) => this.isRefused(entity.flow));
    const awaited = changes.filter(({ entity }) => this.isAwaited(entity.flow));
    const made = changes.filter((change) => !refused.includes(change) && !awaited.includes(change));
    this.bundles.push(made);
    for (const { verb, entity } of made) {
      const others = this.list.filter((flow) => idOf(flow) !== idOf(entity.flow));
      this.list = verb === 'remove' ? others : [...others, entity.flow];
    }
    const leftOut = [
      ...refused.map((change) => ({ change, error: 'the switch refuses it: OFPBMC_BAD_FIELD' })),
      ...awaited.map((change) => ({ change, error: 'port patch-blue has no number yet', isAwaited: true as const })),
    ];
    return Promise.resolve({ done: true, ...(leftOut.length > 0 && { leftOut }) });
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }
}
