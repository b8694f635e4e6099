import type { FlowTables } from '../../ports/node/flow-tables.ts';
import type { HostNetwork } from '../../ports/node/host-network.ts';
import type { KernelSettings } from '../../ports/node/kernel-settings.ts';
import type { LedgerStore } from '../../ports/node/ledger-store.ts';
import type { Northbound } from '../../ports/node/northbound.ts';
import type { PacketFilters } from '../../ports/node/packet-filters.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';
import type { Southbound } from '../../ports/node/southbound.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';

/** The ports to what forwards packets. */
export interface DatapathPorts {
  readonly flowTables: FlowTables;
  readonly northbound: Northbound;
  /** Absent where no networks are provided. */
  readonly southbound?: Southbound;
  /** Absent likewise. */
  readonly packetFilters?: PacketFilters;
  /** Flows of Services on the same bridges; absent where these are not served. */
  readonly serviceFlows?: ServiceFlows;
}

/** The ports of a node's loop. */
export interface NodePorts {
  readonly hostNetwork: HostNetwork;
  readonly switchDatabase: SwitchDatabase;
  readonly kernelSettings: KernelSettings;
  /** Absent where only the host's half of networks is programmed. */
  readonly datapath?: DatapathPorts;
  readonly ledgerStore: LedgerStore;
  readonly resourceStore: ResourceStore;
}
