import Type from 'typebox';
import { partOf, stringMap } from '../../domain/api/schema.ts';
import { lastByObject, lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import type { LogicalPort } from '../../domain/pods/leftovers.ts';
import { readReleased, releasedText } from '../../domain/pods/released-text.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import type { LogicalPorts, LogicalPortsSnapshot } from '../../ports/node/logical-ports.ts';
import { allFields, allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { applied, mapNotation, setNotation, withUuid } from '../ovsdb/applied.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { rowReader } from '../ovsdb/rows.ts';
import { type NamedSwitch, namedSwitch, networkOfSwitch, networkSwitches, SWITCH_COLUMNS } from './network-switches.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
import { type OvsdbTiming, USUAL_TIMING } from '../ovsdb/timing.ts';

const switchPartsSchema = partOf({ ports: Type.Array(partOf({ uuid: Type.String() })) });
const portSchema = partOf({
  name: Type.String(),
  addresses: Type.Array(Type.String()),
  options: Type.Optional(stringMap()),
  external_ids: Type.Optional(stringMap()),
});

const COLUMNS = {
  Logical_Switch: [...SWITCH_COLUMNS, ...Object.keys(switchPartsSchema.properties)],
  Logical_Switch_Port: Object.keys(portSchema.properties),
};

const switchParts = rowReader(switchPartsSchema);
const portRow = rowReader(portSchema);

/** external_ids keys: those with the name of the project are its own, the others as OVN-Kubernetes has them (base_network_controller_pods.go). */
const keys = {
  podName: 'ovn-uplinks-pod-name',
  released: 'ovn-uplinks-released',
  namespace: 'namespace',
  network: 'k8s.ovn.org/network',
  definition: 'k8s.ovn.org/nad',
} as const;

/** The option that a port in Open vSwitch has to have too (ovn-nb(5), Logical_Switch_Port, iface-id-ver). */
const POD_UID_OPTION = 'iface-id-ver';

interface SwitchRow extends NamedSwitch {
  readonly portUuids: ReadonlySet<string>;
}

/** The port of a pod, with the uuid of its row. */
interface PortRow {
  readonly uuid: string;
  readonly port: LogicalPort;
}

interface Content {
  readonly switches: readonly SwitchRow[];
  readonly ports: readonly PortRow[];
}

function readSwitch(row: Row): Reading<SwitchRow> {
  return mapReading(allFields({ named: namedSwitch(row), parts: switchParts(row) }), ({ named, parts }) => ({
    ...named,
    portUuids: new Set(parts.ports.map(({ uuid }) => uuid)),
  }));
}

/** The port of a pod, apart from its switch; none if the row is another program's. */
function readPort(row: Row): Reading<readonly PortRow[]> {
  return mapReading(portRow(row), ({ name, addresses: [first = ''], options = {}, external_ids: ids = {} }) => {
    const podName = ids[keys.podName];
    if (podName === undefined) return [];
    const [mac = '', ...addresses] = first.split(' ');
    const pod = { namespace: ids[keys.namespace] ?? '', name: podName, uid: options[POD_UID_OPTION] ?? '' };
    const port = {
      name,
      switchName: '',
      networkName: ids[keys.network] ?? '',
      definition: ids[keys.definition] ?? '',
      pod,
      addresses,
      mac,
    };
    return [{ uuid: row.uuid, port }];
  });
}

/** A row that did not change is not read again: there are many ports of other nodes. */
const [switchOf, portsOf] = [lazyByObject(readSwitch), lazyByObject(readPort)];

/** A port with its switch, the same object as long as neither changes. */
const placedPort = lastByObject<PortRow>();

function contentOf(tables: Tables): Reading<Content> {
  const switches = allOf((tables.get('Logical_Switch') ?? []).map(switchOf));
  return thenRead(switches, (found) => {
    const names = new Map(found.flatMap(({ name, portUuids }) => [...portUuids].map((uuid) => [uuid, name] as const)));
    const ports = allOf((tables.get('Logical_Switch_Port') ?? []).map(portsOf));
    const placed = mapReading(ports, (each) =>
      each.flat().map((row) => {
        const switchName = names.get(row.uuid) ?? '';
        return placedPort(row, [switchName], () => ({ ...row, port: { ...row.port, switchName } }));
      }),
    );
    return allFields({ switches, ports: placed });
  });
}

function snapshotOf({ switches, ports }: Content): LogicalPortsSnapshot {
  return {
    switches: networkSwitches(switches),
    ports: ports.map(({ port }) => port),
    released: switches.flatMap(({ externalIds }) =>
      readReleased(externalIds[keys.released]).map((each) => ({
        ...each,
        networkName: externalIds[keys.network] ?? '',
      })),
    ),
  };
}

/** The columns of a port. Packets of the pod are accepted from its addresses only (ovn-nb(5), Logical_Switch_Port, port_security). */
function columnsOf({ networkName, definition, pod, addresses, mac }: LogicalPort) {
  const own = setNotation([[mac, ...addresses].join(' ')]);
  return {
    addresses: own,
    port_security: own,
    options: mapNotation({ [POD_UID_OPTION]: pod.uid }),
    external_ids: mapNotation({
      [keys.podName]: pod.name,
      [keys.namespace]: pod.namespace,
      [keys.network]: networkName,
      [keys.definition]: definition,
      'k8s.ovn.org/topology': 'layer3',
      pod: 'true',
    }),
  };
}

/** Sets keys of a map. */
function mutationOf(entries: Readonly<Record<string, string>>): readonly unknown[] {
  return [
    ['external_ids', 'delete', setNotation(Object.keys(entries))],
    ['external_ids', 'insert', mapNotation(entries)],
  ];
}

/**
 * The logical switch ports of pods, in OVN's Northbound database. Addresses that rest are stored with the switch of their network on this node, which
 * ovn-uplinks alone writes to.
 */
export class OvnLogicalPorts implements LogicalPorts {
  readonly #file: string;
  readonly #database: ReplicatedDatabase;
  readonly #changes = new Changes();
  /** One change after another: each is computed from what the previous one has left. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(server: DatabaseServer, timing: OvsdbTiming = USUAL_TIMING) {
    this.#file = serverText(server);
    this.#database = new ReplicatedDatabase('OVN_Northbound', COLUMNS, server, timing);
    this.#database.onChange(() => {
      this.#changes.notify();
    });
  }

  async read(): Promise<Reading<LogicalPortsSnapshot>> {
    return mapReading(thenRead(await this.#database.content(), contentOf), snapshotOf);
  }

  async put(port: LogicalPort): Promise<ApplyResult> {
    return await this.#change(({ switches, ports }) => {
      const onSwitch = switches.find(
        (each) => each.name === port.switchName && networkOfSwitch(each) === port.networkName,
      );
      if (onSwitch === undefined)
        return `there is no Logical_Switch ${port.switchName} of network ${port.networkName}: it is not on this node yet`;
      const existing = ports.find((each) => each.port.name === port.name);
      if (existing !== undefined && onSwitch.portUuids.has(existing.uuid)) {
        return [{ op: 'update', table: 'Logical_Switch_Port', where: withUuid(existing.uuid), row: columnsOf(port) }];
      }
      return [
        ...switches
          .filter(({ portUuids }) => existing !== undefined && portUuids.has(existing.uuid))
          .map(({ uuid }) => ({
            op: 'mutate',
            table: 'Logical_Switch',
            where: withUuid(uuid),
            mutations: [['ports', 'delete', setNotation([['uuid', existing?.uuid]])]],
          })),
        {
          op: 'insert',
          table: 'Logical_Switch_Port',
          'uuid-name': 'port',
          row: { name: port.name, ...columnsOf(port) },
        },
        {
          op: 'mutate',
          table: 'Logical_Switch',
          where: withUuid(onSwitch.uuid),
          mutations: [['ports', 'insert', setNotation([['named-uuid', 'port']])]],
        },
      ];
    });
  }

  async remove({ name, pod, networkName }: LogicalPort, now: number): Promise<ApplyResult> {
    return await this.#change(({ switches, ports }) => {
      const existing = ports.find(({ port }) => port.name === name && port.pod.uid === pod.uid);
      if (existing === undefined) return [];
      const { uuid, port } = existing;
      return switches
        .filter(({ portUuids }) => portUuids.has(uuid))
        .map((each) => {
          const stored = readReleased(each.externalIds[keys.released]);
          const released = releasedText(stored, port.addresses, now);
          return {
            op: 'mutate',
            table: 'Logical_Switch',
            where: withUuid(each.uuid),
            mutations: [
              ['ports', 'delete', setNotation([['uuid', uuid]])],
              ...mutationOf({ [keys.released]: released, [keys.network]: networkName }),
            ],
          };
        });
    });
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Ends the connection to the database. */
  close(): void {
    this.#database.close();
  }

  /** Changes the database. @param operations of a transaction; none if it is done already, or why it cannot be done */
  async #change(operations: (content: Content) => readonly unknown[] | string): Promise<ApplyResult> {
    const change = this.#lastChange.then(async (): Promise<ApplyResult> => {
      const content = thenRead(await this.#database.content(), contentOf);
      if (!content.read) {
        return { done: false, error: content.problems.map(describeProblem).join('; '), isUnavailable: true };
      }
      const wanted = operations(content.value);
      if (typeof wanted === 'string') return { done: false, error: `${this.#file}: ${wanted}`, isUnavailable: true };
      return wanted.length === 0 ? { done: true } : applied(await this.#database.transact(wanted), this.#file);
    });
    // An exception, which is a defect, must not keep others from being made.
    this.#lastChange = change.catch(() => undefined);
    return await change;
  }
}
