/**
 * Binds ports to adapters. Besides api-servers.ts the only place that knows both.
 */
import 'reflect-metadata';
import { dirname } from 'node:path';
import { Container } from 'inversify';
import { CapturedNode } from '../../adapters/capture/captured-node.ts';
import { ExecaPrograms } from '../../adapters/execa/execa-programs.ts';
import { FolderApi } from '../../adapters/folder-api/folder-api.ts';
import { IpNetwork } from '../../adapters/iproute2-json/ip-network.ts';
import { LedgerFile } from '../../adapters/ledger-file/ledger-file.ts';
import { ManifestFiles } from '../../adapters/manifests/manifest-files.ts';
import { NFT_ENVIRONMENT } from '../../adapters/nftables/interactive-nft.ts';
import { NftFilters } from '../../adapters/nftables/nft-filters.ts';
import { NftLocks } from '../../adapters/nftables/nft-locks.ts';
import { OvsdbSwitchPorts } from '../../adapters/open-vswitch/ovsdb-switch-ports.ts';
import { OvsdbSwitch } from '../../adapters/open-vswitch/ovsdb-switch.ts';
import { ControllerFlows } from '../../adapters/ovs-ofctl-wrapper/controller-flows.ts';
import { OfctlRunningBridges } from '../../adapters/ovs-ofctl-wrapper/ofctl-running-bridges.ts';
import { OfctlServiceConnections } from '../../adapters/ovs-ofctl-wrapper/ofctl-service-connections.ts';
import { KernelConnections } from '../../adapters/vswitchd-control/kernel-connections.ts';
import { OfctlFlowTables } from '../../adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { unixServer } from '../../adapters/ovsdb/server.ts';
import { OvnLoadBalancers } from '../../adapters/ovn/ovn-load-balancers.ts';
import { OvnLogicalPorts } from '../../adapters/ovn/ovn-logical-ports.ts';
import { type IntegrationBridgeFlows, InstalledFlows } from '../../adapters/ovn/installed-flows.ts';
import { OvnNorthbound, USUAL_NORTHBOUND_TIMING } from '../../adapters/ovn/ovn-northbound.ts';
import { OvnSouthbound } from '../../adapters/ovn/ovn-southbound.ts';
import { SouthboundListener } from '../../adapters/ovn/southbound-listener.ts';
import { KernelSettingFiles } from '../../adapters/sysctl/kernel-setting-files.ts';
import { AbstractSocketLock } from '../../adapters/abstract-socket/node-lock.ts';
import type { DatapathPorts } from '../../control/node/ports.ts';
import type { OvnServers } from './ovn-servers.ts';
import { ports } from './container.ts';

/** @param flows of ovn-controller on this machine */
function ovnDatabases(
  servers: OvnServers,
  flows: IntegrationBridgeFlows,
): Pick<DatapathPorts, 'northbound' | 'southbound'> {
  if (servers.southbound === undefined) return { northbound: new OvnNorthbound(servers.northbound) };
  const southbound: OvnSouthbound = new OvnSouthbound(servers.southbound, () => northbound.confirm());
  const installed = new InstalledFlows(southbound, flows);
  const northbound: OvnNorthbound = new OvnNorthbound(servers.northbound, USUAL_NORTHBOUND_TIMING, installed);
  return { northbound, southbound };
}

/** The adapters of this machine: its files, programs, kernel and Open vSwitch. */
export function machineContainer(): Container {
  const container = new Container();
  container
    .bind(ports.clusterSource)
    .toConstantValue((paths, onProgress) => new ManifestFiles(paths, { onProgress, standardInput: process.stdin }));
  container.bind(ports.nodeSource).toConstantValue((nodeName, folder) => new CapturedNode(nodeName, folder));
  container.bind(ports.programs).toDynamicValue(() => new ExecaPrograms());
  container.bind(ports.resourceStore).toConstantValue((folder) => new FolderApi(folder));
  container
    .bind(ports.kubernetesStore)
    .toConstantValue(async (...all) => (await import('./api-servers.ts')).kubernetesStore(...all));
  container
    .bind(ports.serverCheck)
    .toConstantValue(async (...all) => (await import('./api-servers.ts')).serverCheck(...all));
  container
    .bind(ports.startedWith)
    .toConstantValue(async (...all) => (await import('./api-servers.ts')).startedWith(...all));
  container
    .bind(ports.clusterApi)
    .toConstantValue(async (...all) => (await import('./api-servers.ts')).clusterApi(...all));
  container.bind(ports.liveNode).toConstantValue((databaseSocket, ovn, networkSettings) => {
    const programs = new ExecaPrograms();
    const runDirectory = dirname(databaseSocket);
    const switchDatabase = new OvsdbSwitch(databaseSocket);
    const flowTables = new OfctlFlowTables(programs, runDirectory);
    return {
      hostNetwork: new IpNetwork(new ExecaPrograms()),
      switchDatabase,
      kernelSettings: new KernelSettingFiles('/proc', networkSettings),
      ledgerStore: new LedgerFile(),
      ...(ovn !== undefined && {
        datapath: {
          flowTables,
          serviceFlows: flowTables.services(switchDatabase),
          ...(ovn.southbound && {
            packetFilters: new NftFilters(new ExecaPrograms(NFT_ENVIRONMENT), new KernelConnections(runDirectory)),
          }),
          ...ovnDatabases(ovn, new ControllerFlows(programs, runDirectory, switchDatabase)),
        },
      }),
    };
  });
  container.bind(ports.podDatabases).toConstantValue((databaseSocket, northbound) => {
    const logicalPorts = new OvnLogicalPorts(northbound);
    const switchPorts = new OvsdbSwitchPorts(databaseSocket);
    const locks = new NftLocks(new ExecaPrograms(NFT_ENVIRONMENT));
    return {
      logicalPorts,
      switchPorts,
      locks,
      close: () => {
        logicalPorts.close();
        switchPorts.close();
        locks.close();
      },
    };
  });
  container
    .bind(ports.serviceConnections)
    .toConstantValue(
      (databaseSocket, database) => new OfctlServiceConnections(new ExecaPrograms(), dirname(databaseSocket), database),
    );
  container.bind(ports.loadBalancers).toConstantValue((northbound) => new OvnLoadBalancers(northbound));
  container
    .bind(ports.controllerAccess)
    .toConstantValue(
      (southbound, databaseSocket, address) =>
        new SouthboundListener(southbound, unixServer(databaseSocket, 'Open vSwitch'), address),
    );
  container
    .bind(ports.runningBridges)
    .toConstantValue((databaseSocket) => new OfctlRunningBridges(new ExecaPrograms(), dirname(databaseSocket)));
  container.bind(ports.nodeLock).toDynamicValue(() => new AbstractSocketLock());
  return container;
}
