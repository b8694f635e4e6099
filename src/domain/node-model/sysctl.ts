import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/** Sets a kernel setting: `sysctl -w NAME=VALUE`. */
export function setSysctl(node: NodeSnapshot, name: string, value: string): Change {
  if (!Object.hasOwn(node.sysctls, name)) return refused(`${name}: No such file or directory`);
  return done({ ...node, sysctls: { ...node.sysctls, [name]: value } });
}
