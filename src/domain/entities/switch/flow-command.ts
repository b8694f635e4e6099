import { flowKey } from '../../datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import type { Command } from '../command.ts';

/** A change of a flow. */
interface FlowOperation {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly entity: { readonly flow: BridgeFlow };
}

/**
 * A change as a line of a bundle (ovs-ofctl(8), add-flows). A flow is replaced by adding the new one with its own cookie: a modified flow would keep
 * the former cookie.
 */
export function bundleLine({ verb, entity: { flow } }: FlowOperation): string {
  if (verb === 'remove') return `delete_strict cookie=${flow.cookie}/-1,${flowKey(flow)}`;
  return `add cookie=${flow.cookie},${flowKey(flow)} actions=${flow.actions}`;
}

/** The command that changes flows of one bridge in an atomic bundle, which it reads from its standard input (ovs-ofctl(8), --bundle). */
export function flowCommand(changes: readonly FlowOperation[]): Command {
  const bridge = changes[0]?.entity.flow.bridge ?? '';
  return {
    program: 'ovs-ofctl',
    arguments: ['-O', 'OpenFlow14', '--no-names', '--bundle', 'add-flows', bridge, '-'],
    input: changes.map((change) => `${bundleLine(change)}\n`).join(''),
  };
}
