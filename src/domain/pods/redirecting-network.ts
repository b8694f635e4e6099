/**
 * Does the default network carry packets of pods past nftables, where their interfaces are locked?
 */
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * The devices of implementations whose eBPF programs redirect packets between pods before the hooks of nftables (Cilium, "eBPF Host-Routing"; Calico, "eBPF data
 * plane mode"; bpf-helpers(7), bpf_redirect_peer).
 */
const devices: ReadonlyMap<string, string> = new Map([
  ['cilium_host', 'Cilium'],
  ['cilium_net', 'Cilium'],
  ['bpfin.cali', 'Calico with eBPF'],
]);

/** The implementation of the default network, if it may carry packets of pods past nftables; undefined where nothing tells so. */
export function redirectingNetwork(links: NodeSnapshot['links']): string | undefined {
  for (const { name } of links) {
    const found = devices.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
