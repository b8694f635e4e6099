import type { KeptNetwork } from '../dataplane/kept-network.ts';
import type { Table } from '../snapshot/node-snapshot.ts';

/** What is left as it is, whatever the plan says of others: everything of the networks that are kept. */
export interface KeptThings {
  hasVrf(vrf: string): boolean;
  hasTable(table: Table | undefined): boolean;
  hasDevice(device: string): boolean;
  hasNetworkName(networkName: string): boolean;
}

/** Gathers what belongs to the networks that are kept. */
export function keptThings(kept: readonly KeptNetwork[]): KeptThings {
  const vrfs = new Set(kept.flatMap((network) => network.vrfs));
  const tables = new Set<Table | undefined>(kept.flatMap((network) => network.tables));
  const devices = new Set(kept.flatMap((network) => network.devices));
  const names = new Set(kept.map(({ networkName }) => networkName));
  return {
    hasVrf: (vrf) => vrfs.has(vrf),
    hasTable: (table) => tables.has(table),
    hasDevice: (device) => devices.has(device),
    hasNetworkName: (networkName) => names.has(networkName),
  };
}
