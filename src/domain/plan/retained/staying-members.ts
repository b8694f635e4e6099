import type { NodeDataplane } from '../node-dataplane.ts';

/** The interfaces that stay in a VRF although no programmed network needs them there, such as those of held networks: nothing on them is changed. */
export function stayingMembersOf({ stays }: Pick<NodeDataplane, 'stays'>): ReadonlySet<string> {
  return new Set(stays.flatMap(({ entity }) => (entity.kind === 'membership' ? [entity.device] : [])));
}
