import { stableHash } from './stable-hash.ts';

/** Longest value of a label in Kubernetes. */
const MAX_LABEL_VALUE = 63;

/** A name as a label value: unchanged if it fits, otherwise a hash of it. */
export function labelValue(name: string): string {
  return name.length <= MAX_LABEL_VALUE ? name : stableHash(name);
}
