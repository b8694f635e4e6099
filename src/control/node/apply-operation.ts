import type { PortName } from '../../domain/entities/entity-kind.ts';
import type { Operation } from '../../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { semanticsOf } from '../../domain/entities/operations/operation-semantics.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { FlowOperation } from '../../ports/node/flow-tables.ts';
import type { HostOperation } from '../../ports/node/host-network.ts';
import type { FilterOperation } from '../../ports/node/packet-filters.ts';
import type { SettingOperation } from '../../ports/node/kernel-settings.ts';
import type { NorthboundOperation } from '../../ports/node/northbound.ts';
import type { SouthboundOperation } from '../../ports/node/southbound.ts';
import type { SwitchOperation } from '../../ports/node/switch-database.ts';
import type { NodePorts } from './ports.ts';

const withoutDatapath = Promise.resolve<ApplyResult>({
  done: false,
  error: 'flows and OVN are not programmed here (--ovn-northbound none)',
  isRefused: true,
});

const withoutSouthbound = Promise.resolve<ApplyResult>({
  done: false,
  error: "OVN's Southbound database is not programmed here",
  isRefused: true,
});

const withoutPacketFilters = Promise.resolve<ApplyResult>({
  done: false,
  error: 'tables of nftables are not programmed here',
  isRefused: true,
});

/** Applies operations, by port. The table of kinds maps each operation to its port; the compiler cannot infer that. */
const appliers: Readonly<
  Record<PortName, (ports: NodePorts, operation: Operation, bridges: NodeSnapshot['bridges']) => Promise<ApplyResult>>
> = {
  hostNetwork: ({ hostNetwork }, operation) => hostNetwork.apply(operation as HostOperation),
  switchDatabase: ({ switchDatabase }, operation) => switchDatabase.apply(operation as SwitchOperation),
  kernelSettings: ({ kernelSettings }, operation) => kernelSettings.apply(operation as SettingOperation),
  flowTables: ({ datapath }, operation, bridges) =>
    datapath?.flowTables.apply(operation as FlowOperation, bridges) ?? withoutDatapath,
  southbound: ({ datapath }, operation) =>
    datapath?.southbound?.apply(operation as SouthboundOperation) ?? withoutSouthbound,
  northbound: ({ datapath }, operation) =>
    datapath?.northbound.apply(operation as NorthboundOperation) ?? withoutDatapath,
  packetFilters: ({ datapath }, operation) =>
    datapath?.packetFilters?.apply(operation as FilterOperation) ?? withoutPacketFilters,
};

/**
 * Applies an operation through the port of its kind of entity. Never rejects.
 *
 * @param node as it was last observed; flows name ports, which have their numbers there
 */
export function applyByPort(
  ports: NodePorts,
  operation: Operation,
  { bridges }: Pick<NodeSnapshot, 'bridges'>,
): Promise<ApplyResult> {
  return appliers[semanticsOf(operation).port](ports, operation, bridges);
}
