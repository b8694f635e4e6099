import type { Bridge } from '../domain/snapshot/node-snapshot.ts';
import type { SwitchTrace, TracedFrame } from '../domain/trace/switch-trace.ts';
import type { Reading } from './input-problem.ts';

/** What the bridges of this machine tell of packets. */
export interface RunningBridges {
  /** Packets that each flow of a bridge has matched, by table, priority and match as `flowKey` has it, with names of ports. Never rejects. */
  packets(bridge: Bridge): Promise<Reading<ReadonlyMap<string, number>>>;
  /** What a bridge would do with a frame; nothing is sent. Never rejects. */
  trace(bridge: Bridge, frame: TracedFrame): Promise<Reading<SwitchTrace>>;
}
