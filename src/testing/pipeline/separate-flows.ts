import { overlap } from '../../domain/openflow/constraints.ts';
import { parseMatch } from '../../domain/openflow/parse-match.ts';
import { attachedTo } from './bridge-model.ts';
import { type PipelineProperty, PipelineViolation } from './property.ts';

export const separateFlows: PipelineProperty = {
  name: 'separate flows',
  promise: 'No two flows of one table and priority match the same packet',
  cover: { 'several networks': 0.5 },
  check: (pipeline, { bridge }) => {
    const flows = pipeline(bridge).map((flow) => ({ ...flow, parsed: parseMatch(flow.match) }));
    for (const [at, flow] of flows.entries()) {
      for (const other of flows.slice(at + 1)) {
        if (flow.table !== other.table || flow.priority !== other.priority) continue;
        if (flow.parsed === undefined || other.parsed === undefined || overlap(flow.parsed, other.parsed)) {
          throw new PipelineViolation(
            `table ${String(flow.table)}, priority ${String(flow.priority)}: "${flow.match}" and "${other.match}" overlap`,
          );
        }
      }
    }
    return attachedTo(bridge).length > 1 ? ['several networks'] : [];
  },
};
