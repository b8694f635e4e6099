/** The lock of a pod, by its object. */
import type { Pod } from '../api/pod.ts';
import { type InterfaceLock, interfaceLock, type LockSurroundings } from './interface-lock.ts';
import { openPortsOf } from './open-ports.ts';
import { probedPorts } from './probed-ports.ts';

/** The lock of the pod with a uid; undefined where the known object is not that of this pod. */
export function lockOfPod(
  known: Pod | undefined,
  uid: string,
  surroundings: LockSurroundings,
): InterfaceLock | undefined {
  if (known?.metadata.uid !== uid) return undefined;
  return interfaceLock(probedPorts(known), surroundings, openPortsOf(known).ports);
}
