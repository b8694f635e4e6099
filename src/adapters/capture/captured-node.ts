import { join } from 'node:path';
import { filters } from '../../domain/entities/kernel/filter-table.ts';
import type { FilterTable, ForwardDrop } from '../../domain/snapshot/datapath.ts';
import { emptyLedger, type Ledger } from '../../domain/snapshot/ledger.ts';
import { readLedger } from '../../domain/entities/ownership/ledger-text.ts';
import { possibleUplinkBridges } from '../../domain/snapshot/integration-bridge.ts';
import type { Bridge, NodeSnapshot, Route } from '../../domain/snapshot/node-snapshot.ts';
import type { FlowSnapshot } from '../../ports/node/flow-tables.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { NorthboundSnapshot } from '../../ports/node/northbound.ts';
import type { SouthboundSnapshot } from '../../ports/node/southbound.ts';
import type { SwitchSnapshot } from '../../ports/node/switch-database.ts';
import type { NodeSource } from '../../ports/node/node-source.ts';
import { readDevlinkPorts } from '../devlink/ports.ts';
import { readAddresses, withAddresses } from '../iproute2-json/addresses.ts';
import { present } from '../iproute2-json/fields.ts';
import { readLinks } from '../iproute2-json/links.ts';
import { readNeighbourProxies } from '../iproute2-json/neighbour-proxies.ts';
import { readNeighbours } from '../iproute2-json/neighbours.ts';
import { hopsOfObjects, readNextHopObjects } from '../iproute2-json/next-hop-objects.ts';
import { readRoutes } from '../iproute2-json/routes.ts';
import { readRules } from '../iproute2-json/rules.ts';
import { allFields, allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { readFilters, readForwardDrops } from '../nftables/read-filters.ts';
import { readSwitch } from '../open-vswitch/switch.ts';
import { readSouthbound } from '../ovn/southbound-selection.ts';
import { readNorthbound } from '../ovn/dump.ts';
import { readBootId } from '../procfs/boot-id.ts';
import { type LegacyFamily, legacyForwardDrops } from '../procfs/legacy-tables.ts';
import { kernelReleaseIn } from '../procfs/kernel-release.ts';
import { readUptime } from '../procfs/uptime.ts';
import { readSysctls } from '../sysctl/settings.ts';
import { joined } from '../ovs-ofctl-wrapper/joined.ts';
import { readFdb } from '../ovs-ofctl-wrapper/fdb.ts';
import { readFlows } from '../ovs-ofctl-wrapper/flow-dump.ts';
import { readNoFloodPorts } from '../ovs-ofctl-wrapper/port-descriptions.ts';
import { checkFolder, readCapturedFile } from './captured-file.ts';
import { completeRoutes } from './completeness.ts';
import {
  BRIDGE_FILES,
  type CapturedFile,
  fileOfBridge,
  NODE_FILES,
  NORTHBOUND_FILE,
  SOUTHBOUND_FILE,
} from './layout.ts';

/** Parses a text; the file is named in problems. */
type Parser<Value> = (text: string, file: string) => Reading<Value>;

const noSwitch: SwitchSnapshot = { switchExternalIds: {}, bridges: [] };

const filterTables = filters.map(({ table }) => table);

const noSouthbound: SouthboundSnapshot = { chassis: [], remotePorts: [] };

/** An unusable ledger counts as empty, with the reason in it. */
function ledgerOf(bootId: Reading<string | undefined>): Parser<Ledger> {
  return (text) => ({ read: true, value: readLedger(text, bootId.read ? bootId.value : undefined) });
}

const readKernelRelease: Parser<string | undefined> = (text) => ({ read: true, value: kernelReleaseIn(text) });

/** A node captured by `ovn-uplinks capture` (layout.ts). */
export class CapturedNode implements NodeSource {
  readonly #nodeName: string;
  readonly #directory: string;

  /**
   * @param nodeName name of the Node object, which no captured file contains
   * @param directory the folder, as named in problems
   */
  constructor(nodeName: string, directory: string) {
    this.#nodeName = nodeName;
    this.#directory = directory;
  }

  /** Reads the folder; the problems are those of all files. */
  async read(): Promise<Reading<NodeSnapshot>> {
    const folder = await checkFolder(this.#directory);
    if (!folder.read) return folder;

    const nextHopObjects = await this.#part(NODE_FILES.nextHopObjects, readNextHopObjects, []);
    // If the objects cannot be read, the routes are read without them, to report their problems too.
    const hops = hopsOfObjects(nextHopObjects.read ? nextHopObjects.value : []);
    const routesOf =
      (family: 4 | 6): Parser<readonly Route[] | undefined> =>
      (text, file) =>
        readRoutes(text, file, family, hops);
    const bootId = await this.#part<string | undefined>(NODE_FILES.bootId, readBootId, undefined);
    const switchDatabase = await this.#part<SwitchSnapshot>(NODE_FILES.switchDatabase, readSwitch, noSwitch);
    const parts = allFields({
      links: await this.#part(NODE_FILES.links, readLinks, []),
      addresses: await this.#part(NODE_FILES.addresses, readAddresses, new Map()),
      routes4: await this.#part(NODE_FILES.routes4, routesOf(4), undefined),
      routes6: await this.#part(NODE_FILES.routes6, routesOf(6), undefined),
      rules4: await this.#part(NODE_FILES.rules4, (text, file) => readRules(text, file, 4), []),
      rules6: await this.#part(NODE_FILES.rules6, (text, file) => readRules(text, file, 6), []),
      neighbours: await this.#part(NODE_FILES.neighbours, readNeighbours, []),
      neighbourProxies: await this.#part(NODE_FILES.neighbourProxies, readNeighbourProxies, []),
      nextHopObjects,
      switchDatabase,
      // If the bridges cannot be read, nothing can be read of them.
      flowTables: await this.#flowTables(switchDatabase.read ? possibleUplinkBridges(switchDatabase.value) : []),
      northbound: await this.#part<NorthboundSnapshot>(NORTHBOUND_FILE, readNorthbound, { northbound: [] }),
      southbound: await this.#part<SouthboundSnapshot>(SOUTHBOUND_FILE, readSouthbound, noSouthbound),
      devlinkPorts: await this.#part(NODE_FILES.devlinkPorts, readDevlinkPorts, []),
      sysctls: await this.#part(NODE_FILES.sysctls, readSysctls, {}),
      ledger: await this.#part(NODE_FILES.ledger, ledgerOf(bootId), emptyLedger),
      filterTables: await this.#part<readonly FilterTable[]>(
        NODE_FILES.filters,
        (text, file) => readFilters(filters, text, file),
        [],
      ),
      forwardDrops: await this.#forwardDrops(),
      bootId,
      uptimeSeconds: await this.#part<number | undefined>(NODE_FILES.uptime, readUptime, undefined),
      kernelRelease: await this.#part<string | undefined>(NODE_FILES.kernel, readKernelRelease, undefined),
    });
    return thenRead(parts, ({ links: bare, addresses, routes4, routes6, rules4, rules6, ...rest }) => {
      const links = withAddresses(bare, addresses);
      const complete = (routes: readonly Route[] | undefined, family: 4 | 6, captured: CapturedFile) =>
        routes === undefined
          ? ({ read: true, value: [] } as const)
          : completeRoutes(routes, family, links, this.#directory, captured);
      const {
        bootId: boot,
        uptimeSeconds,
        kernelRelease,
        switchDatabase: database,
        flowTables,
        northbound,
        southbound,
        ...others
      } = rest;
      return mapReading(
        allOf([complete(routes4, 4, NODE_FILES.routes4), complete(routes6, 6, NODE_FILES.routes6)]),
        (routes) => ({
          nodeName: this.#nodeName,
          links,
          routes: routes.flat(),
          rules: [...rules4, ...rules6],
          ...database,
          ...flowTables,
          ...northbound,
          ...southbound,
          ...others,
          ...present({ bootId: boot, uptimeSeconds, kernelRelease }),
        }),
      );
    });
  }

  /** Flows, ports and MAC addresses of the switches of bridges. */
  async #flowTables(bridges: readonly Bridge[]): Promise<Reading<FlowSnapshot>> {
    const ofBridges = await Promise.all(
      bridges.map(async (bridge) => {
        const part = <Value>(
          template: CapturedFile,
          read: (text: string, file: string, of: Bridge) => Reading<readonly Value[]>,
        ) => this.#part(fileOfBridge(template, bridge.name), (text, file) => read(text, file, bridge), []);
        return allFields({
          flows: await part(BRIDGE_FILES.flows, (...text) =>
            mapReading(readFlows(...text), (flows) => [...flows.values()]),
          ),
          noFloodPorts: await part(BRIDGE_FILES.ports, readNoFloodPorts),
          fdbEntries: await part(BRIDGE_FILES.fdb, readFdb),
        });
      }),
    );
    return mapReading(allOf(ofBridges), joined);
  }

  /** The chains of other programs that drop what passes the node, or may drop it. */
  async #forwardDrops(): Promise<Reading<readonly ForwardDrop[]>> {
    const legacy = (captured: CapturedFile, family: LegacyFamily) =>
      this.#part<readonly ForwardDrop[]>(
        captured,
        (text) => ({ read: true, value: legacyForwardDrops(text, family) }),
        [],
      );
    const read = [
      await this.#part<readonly ForwardDrop[]>(
        NODE_FILES.chains,
        (text, file) => readForwardDrops(text, file, filterTables),
        [],
      ),
      await legacy(NODE_FILES.legacyTables4, 'ip'),
      await legacy(NODE_FILES.legacyTables6, 'ip6'),
    ];
    return mapReading(allOf(read), (drops) => drops.flat());
  }

  /** The content of a file; `none` for a missing optional file. */
  async #part<Value>(captured: CapturedFile, parse: Parser<Value>, none: Value): Promise<Reading<Value>> {
    const text = await readCapturedFile(this.#directory, captured);
    return thenRead(text, (found) =>
      found === undefined ? { read: true, value: none } : parse(found, join(this.#directory, captured.file)),
    );
  }
}
