import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { SwitchTrace, TracedFrame } from '../../domain/explanation/trace/switch-trace.ts';
import type { Reading } from '../input-problem.ts';

/** Statistics and traces of packets on the bridges of this machine. */
export interface RunningBridges {
  /** Packets that each flow of a bridge has matched, by table, priority and match as `flowKey` has it, with names of ports. Never rejects. */
  packets(bridge: Bridge): Promise<Reading<ReadonlyMap<string, number>>>;
  /** Traces a frame on a bridge; nothing is sent. Never rejects. */
  trace(bridge: Bridge, frame: TracedFrame): Promise<Reading<SwitchTrace>>;
}
