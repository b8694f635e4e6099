/**
 * Which interfaces connect a pod to the cluster’s default network?
 */
import type { ObservedNamespace } from './cni/messages.ts';
import { isInterfaceName } from '../basics/names/interface-name.ts';

/** The host’s end of a pod’s interface. */
export interface HostInterface {
  readonly name: string;
  /** Distinguishes it from an interface that has its name later. */
  readonly index: number;
}

/** The host’s ends of them; or the name of one that has none, so that nothing on the host sees its packets for certain. */
export type DefaultInterfaces =
  | { readonly kind: 'found'; readonly interfaces: readonly HostInterface[] }
  | { readonly kind: 'without-peer'; readonly name: string };

/** How container runtimes name the interface of the default network (containerd, pkg/cri/server/service_linux.go; CRI-O, ocicni). */
const USUAL_NAME = 'eth0';

const EVERYTHING: readonly string[] = ['0.0.0.0/0', '::/0'];

/**
 * Finds the interfaces of a pod in the default network before it is attached to its primary one: the one with the usual name, and whichever has the default
 * route, which an annotation of the pod may have moved.
 *
 * @param ifname the interface of the primary network
 */
export function defaultInterfaces({ interfaces, routes }: ObservedNamespace, ifname: string): DefaultInterfaces {
  const isDefault = (name: string) =>
    name === USUAL_NAME || routes.some((route) => route.interface === name && EVERYTHING.includes(route.destination));
  const found: HostInterface[] = [];
  for (const { name, peer } of interfaces) {
    if (name === ifname || !isDefault(name)) continue;
    if (peer === undefined || !isInterfaceName(peer.name)) return { kind: 'without-peer', name };
    found.push(peer);
  }
  return { kind: 'found', interfaces: found };
}
