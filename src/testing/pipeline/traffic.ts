import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { Match } from '../../domain/openflow/flow.ts';

/** A bridge, and packets that come to it one after the other, in the words of ovs-ofctl(8). */
export interface Traffic {
  readonly bridge: BridgeInput;
  readonly packets: readonly Match[];
}
