import type { NodeView } from '../discovery/node-view.ts';
import { distinct } from '../ordering.ts';

/** What belongs to a network that is left exactly as it is: whatever of ours bears one of these names is not touched. */
export interface KeptNetwork {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly networkName: string;
  /** VRFs that the network is in, may have been in, or is asked into. */
  readonly vrfs: readonly string[];
  /** Tables of these VRFs. */
  readonly tables: readonly number[];
  /** Interfaces that carry it, or did. */
  readonly devices: readonly string[];
}

/** What a kept network is known by. */
interface KeptInput {
  readonly network: string;
  readonly networkName: string;
  readonly vrfs: readonly (string | undefined)[];
  readonly device: string | undefined;
  readonly node: NodeView;
}

/** Collects what belongs to a network: what the objects say now, and what the ledger says that was done for it before. */
export function keptNetwork({ network, networkName, vrfs, device, node }: KeptInput): KeptNetwork {
  const memberships = node.snapshot.ledger.entries.filter(
    (entry) => entry.kind === 'membership' && entry.network === networkName,
  );
  const done = memberships.flatMap((entry) => (entry.kind === 'membership' ? [entry] : []));
  const names = distinct([...vrfs.flatMap((vrf) => vrf ?? []), ...done.map(({ vrf }) => vrf)]);
  const tables = [...names.flatMap((vrf) => node.link(vrf)?.vrfTable ?? []), ...done.map(({ table }) => table)];
  return {
    network,
    networkName,
    vrfs: names,
    tables: [...new Set(tables)].sort((left, right) => left - right),
    devices: distinct([...(device === undefined ? [] : [device]), ...done.map((entry) => entry.device)]),
  };
}
