import type { PipelineFlow } from '../../domain/dataplane/pipeline/bridge-flows.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { overlap } from '../../domain/datapath/openflow/constraints.ts';
import { parseMatch } from '../../domain/datapath/openflow/parse-match.ts';
import { attachedTo } from './bridge-model.ts';
import { mixedFlows } from './mixed-flows.ts';
import { type PipelineProperty, PipelineViolation } from './property.ts';

/** @throws PipelineViolation where two flows of one table and priority match the same packet. */
function checkSeparate(flows: readonly PipelineFlow[]): void {
  const parsed = flows.map((flow) => ({ ...flow, parsed: parseMatch(flow.match) }));
  const groups = groupBy(parsed, ({ table, priority }) => `table ${String(table)}, priority ${String(priority)}`);
  for (const [place, group] of groups) {
    for (const [at, flow] of group.entries()) {
      for (const other of group.slice(at + 1)) {
        if (flow.parsed === undefined || other.parsed === undefined || overlap(flow.parsed, other.parsed)) {
          throw new PipelineViolation(`${place}: "${flow.match}" and "${other.match}" overlap`);
        }
      }
    }
  }
}

export const separateFlows: PipelineProperty = {
  name: 'separate flows',
  promise:
    'No two flows of one table and priority match the same packet, neither where flows of held networks stay beside those of others',
  cover: { 'several networks': 0.5, 'flows that stay': 0.1 },
  check: (pipeline, traffic) => {
    const [flows, mixed] = [pipeline(traffic.bridge), mixedFlows(pipeline, traffic)];
    checkSeparate(flows);
    checkSeparate(mixed);
    const known = new Set(flows.map(({ match }) => match));
    return [
      ...(attachedTo(traffic.bridge).length > 1 ? ['several networks'] : []),
      ...(mixed.some(({ match }) => !known.has(match)) ? ['flows that stay'] : []),
    ];
  },
};
