import Type from 'typebox';
import { partOf, type Shape, stringMap } from '../../domain/api/schema.ts';
import { INTEGRATION_BRIDGE } from '../../domain/basics/conventions.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { isInterfaceName } from '../../domain/basics/names/interface-name.ts';
import type { ObservedPodSwitchPort, PodSwitchPort } from '../../domain/pods/leftovers.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { awaited, Changes } from '../../ports/changes.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import type { SwitchPorts } from '../../ports/node/switch-ports.ts';
import { applied, mapNotation, setNotation, withUuid } from '../ovsdb/applied.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { rowReader } from '../ovsdb/rows.ts';
import { unixServer } from '../ovsdb/server.ts';
import { type OvsdbTiming, USUAL_TIMING } from '../ovsdb/timing.ts';

const bridgeSchema = partOf({ name: Type.String() });
const portSchema = partOf({ name: Type.String() });
const interfaceSchema = partOf({
  name: Type.String(),
  ofport: Type.Optional(Type.Integer()),
  ifindex: Type.Optional(Type.Integer()),
  external_ids: Type.Optional(stringMap()),
});

const COLUMNS = {
  Bridge: Object.keys(bridgeSchema.properties),
  Port: Object.keys(portSchema.properties),
  Interface: Object.keys(interfaceSchema.properties),
};

const bridgeRow = rowReader(bridgeSchema);
const portRow = rowReader(portSchema);
const interfaceRow = rowReader(interfaceSchema);

/** external_ids keys of ports of pods; the others are those of ovn-controller(8). */
const keys = {
  container: 'ovn-uplinks-container',
  interface: 'ovn-uplinks-interface',
  network: 'ovn-uplinks-network',
  definition: 'ovn-uplinks-definition',
  addresses: 'ovn-uplinks-addresses',
  podNamespace: 'ovn-uplinks-pod-namespace',
  podName: 'ovn-uplinks-pod-name',
  defaultInterfaces: 'ovn-uplinks-default-interfaces',
  answers: 'ovn-uplinks-answers',
  routes: 'ovn-uplinks-routes',
  defaultServices: 'ovn-uplinks-default-services',
  port: 'iface-id',
  podUid: 'iface-id-ver',
  mac: 'attached-mac',
  installed: 'ovn-installed',
} as const;

/** Which routes a pod was given by the default network: 2, those to single Services; before, without the key, those to the subnets of all Services. */
const ROUTES = '2';

/**
 * Whether an interface has a device. Without one, the kernel's datapath gives it no number, and the userspace datapath keeps the number, but not the
 * index of the device (ovs-vswitchd.conf.db(5), Interface, ofport and ifindex; tried with 3.1). Both are unset until ovs-vswitchd has seen the interface.
 */
function hasDevice({ ofport, ifindex }: Shape<typeof interfaceSchema>): boolean {
  return ofport !== -1 && ifindex !== 0;
}

/** Interfaces as `7:veth0 9:veth1`: the kernel allows no blanks in a name. */
function interfacesText(interfaces: PodSwitchPort['defaultInterfaces']): string {
  return interfaces.map(({ name, index }) => `${index}:${name}`).join(' ');
}

function interfacesIn(text: string): PodSwitchPort['defaultInterfaces'] {
  return text.split(' ').flatMap((each) => {
    const [, index = '', name = ''] = /^([0-9]+):(.+)$/.exec(each) ?? [];
    return isInterfaceName(name) ? [{ name, index: Number(index) }] : [];
  });
}

/** Routes as `0.0.0.0/0,10.244.0.1,eth0 10.244.0.0/24,,eth0`. */
function routesText(routes: PodSwitchPort['answers']): string {
  return routes.map(({ destination, gateway, interface: device }) => `${destination},${gateway},${device}`).join(' ');
}

function routesIn(text: string): PodSwitchPort['answers'] {
  return text.split(' ').flatMap((each) => {
    const [, destination = '', gateway = '', name = ''] = /^([^,]+),([^,]*),(.+)$/.exec(each) ?? [];
    return isInterfaceName(name) ? [{ destination, gateway, interface: name }] : [];
  });
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

function externalIdsOf(port: PodSwitchPort): Readonly<Record<string, string>> {
  const { portName, networkName, definition, pod, attachment, addresses, mac, defaultInterfaces, answers } = port;
  const { defaultServices } = port;
  return {
    [keys.port]: portName,
    [keys.podUid]: pod.uid,
    [keys.mac]: mac,
    [keys.container]: attachment.containerId,
    [keys.interface]: attachment.ifname,
    [keys.network]: networkName,
    [keys.definition]: definition,
    [keys.addresses]: addresses.join(' '),
    [keys.podNamespace]: pod.namespace,
    [keys.podName]: pod.name,
    [keys.defaultInterfaces]: interfacesText(defaultInterfaces),
    [keys.answers]: routesText(answers),
    ...(defaultServices && { [keys.routes]: ROUTES, [keys.defaultServices]: defaultServices.join(' ') }),
  };
}

/** The port of a pod; none if the interface is another program's. */
function readPort(row: Row): Reading<readonly ObservedPodSwitchPort[]> {
  return mapReading(interfaceRow(row), (found) => {
    const { name, external_ids: ids = {} } = found;
    const containerId = ids[keys.container];
    if (containerId === undefined) return [];
    const valueOf = (key: string) => ids[key] ?? '';
    return [
      {
        name,
        portName: valueOf(keys.port),
        networkName: valueOf(keys.network),
        definition: valueOf(keys.definition),
        pod: {
          namespace: valueOf(keys.podNamespace),
          name: valueOf(keys.podName),
          uid: valueOf(keys.podUid),
        },
        attachment: { containerId, ifname: valueOf(keys.interface) },
        addresses: words(valueOf(keys.addresses)),
        mac: valueOf(keys.mac),
        defaultInterfaces: interfacesIn(valueOf(keys.defaultInterfaces)),
        answers: routesIn(valueOf(keys.answers)),
        ...(ids[keys.routes] === ROUTES && { defaultServices: words(valueOf(keys.defaultServices)) }),
        hasDevice: hasDevice(found),
        isInstalled: ids[keys.installed] === 'true',
      },
    ];
  });
}

/** A row that did not change is the same port. */
const portsOfRow = lazyByObject(readPort);

function portsOf(tables: Tables): Reading<readonly ObservedPodSwitchPort[]> {
  return mapReading(allOf((tables.get('Interface') ?? []).map(portsOfRow)), (ports) => ports.flat());
}

/** The uuid of the row with a name. */
function uuidOf(tables: Tables, table: 'Bridge' | 'Port' | 'Interface', name: string): string | undefined {
  const read = { Bridge: bridgeRow, Port: portRow, Interface: interfaceRow }[table];
  return (tables.get(table) ?? []).find((row) => {
    const found = read(row);
    return found.read && found.value.name === name;
  })?.uuid;
}

/** The ports of pods on the integration bridge, in Open vSwitch's database, through its Unix socket. */
export class OvsdbSwitchPorts implements SwitchPorts {
  readonly #socket: string;
  readonly #database: ReplicatedDatabase;
  readonly #changes = new Changes();

  /** @param socket usually /var/run/openvswitch/db.sock */
  constructor(socket: string, timing: OvsdbTiming = USUAL_TIMING) {
    this.#socket = socket;
    this.#database = new ReplicatedDatabase('Open_vSwitch', COLUMNS, unixServer(socket, 'Open vSwitch'), timing);
    this.#database.onChange(() => {
      this.#changes.notify();
    });
  }

  async read(): Promise<Reading<readonly ObservedPodSwitchPort[]>> {
    return thenRead(await this.#database.content(), portsOf);
  }

  async add(port: PodSwitchPort): Promise<ApplyResult> {
    return await this.#change((tables) => {
      const externalIds = mapNotation(externalIdsOf(port));
      const existing = uuidOf(tables, 'Interface', port.name);
      if (existing !== undefined) {
        return [{ op: 'update', table: 'Interface', where: withUuid(existing), row: { external_ids: externalIds } }];
      }
      const bridge = uuidOf(tables, 'Bridge', INTEGRATION_BRIDGE);
      if (bridge === undefined) return `bridge ${INTEGRATION_BRIDGE} does not exist; start ovn-controller`;
      const { name } = port;
      return [
        { op: 'insert', table: 'Interface', 'uuid-name': 'added', row: { name, external_ids: externalIds } },
        { op: 'insert', table: 'Port', 'uuid-name': 'port', row: { name, interfaces: ['named-uuid', 'added'] } },
        {
          op: 'mutate',
          table: 'Bridge',
          where: withUuid(bridge),
          mutations: [['ports', 'insert', setNotation([['named-uuid', 'port']])]],
        },
      ];
    });
  }

  async remove(name: string): Promise<ApplyResult> {
    return await this.#change((tables) => {
      const port = uuidOf(tables, 'Port', name);
      if (port === undefined) return [];
      // Whatever bridge it is on; the database deletes what is on none.
      const mutations = [['ports', 'delete', setNotation([['uuid', port]])]];
      return [{ op: 'mutate', table: 'Bridge', where: [], mutations }];
    });
  }

  async installed(name: string, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const look = async () => {
      const ports = await this.read();
      if (!ports.read) return undefined;
      const port = ports.value.find((each) => each.name === name);
      return port === undefined ? false : port.isInstalled || undefined;
    };
    return (await awaited([this], look, milliseconds, signal)) ?? false;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Ends the connection to the database. */
  close(): void {
    this.#database.close();
  }

  /** Changes the database. @param operations of a transaction; none if it is done already, or why it cannot be done */
  async #change(operations: (tables: Tables) => readonly unknown[] | string): Promise<ApplyResult> {
    const content = await this.#database.content();
    if (!content.read) {
      return { done: false, error: content.problems.map(describeProblem).join('; '), isUnavailable: true };
    }
    const wanted = operations(content.value);
    if (typeof wanted === 'string') return { done: false, error: `${this.#socket}: ${wanted}`, isRefused: true };
    return wanted.length === 0 ? { done: true } : applied(await this.#database.transact(wanted), this.#socket);
  }
}
