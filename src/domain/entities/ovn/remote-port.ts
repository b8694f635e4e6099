import { capturedFiles } from '../../snapshot/captured-files.ts';
import type { RemotePort } from '../../snapshot/chassis.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Command } from '../command.ts';
import { dependency } from '../dependencies.ts';
import type { EntityStep, SetKind } from '../entity-kind.ts';
import { counted } from '../../basics/names/counted.ts';

/**
 * The binding of a port of another node to the chassis of that node (ovn-sb(5), Port_Binding, chassis). ovn-northd binds it, except before OVN 23.06, where
 * it only notes the chassis that is requested (tried on 23.03 and 25.03). The port itself is a row of the Northbound database.
 */
export interface RemotePortEntity extends RemotePort {
  readonly kind: 'remote-port';
}

/** All are in one database, and are changed in one transaction. */
const SET = 'southbound';

/** Commands of ovn-sbctl(8) that bind ports, or release them. */
function command(changes: readonly EntityStep<RemotePortEntity>[]): Command {
  const words = changes.flatMap(({ verb, entity: { port, chassis } }, place) => {
    if (verb === 'remove') return ['--', '--if-exists', 'clear', 'Port_Binding', port, 'chassis'];
    const id = `@chassis${String(place)}`;
    return ['--', `--id=${id}`, 'get', 'Chassis', chassis, '--', 'set', 'Port_Binding', port, `chassis=${id}`];
  });
  return { program: 'ovn-sbctl', arguments: words.slice(1) };
}

function without(node: NodeSnapshot, entities: readonly RemotePortEntity[]): NodeSnapshot {
  const taken = new Set(entities.map(({ port }) => port));
  return { ...node, remotePorts: node.remotePorts.filter(({ port }) => !taken.has(port)) };
}

const ofNetwork = ({ network }: RemotePort) => (network === undefined ? [] : [dependency('logical-network', network)]);

export const remotePort: SetKind<RemotePortEntity, 'southbound'> = {
  kind: 'remote-port',
  parts: ['remotePorts'],
  identity: ({ port }) => port,
  satisfies: (found, desired) => found.isUnconfirmed !== true && found.chassis === desired.chassis,
  comparable: ({ isUnconfirmed: _, ...port }) => port,
  all: ({ remotePorts }) => remotePorts.map((each) => ({ kind: 'remote-port', ...each })),
  put: (node, entities) => {
    const left = without(node, entities);
    return { ...left, remotePorts: [...left.remotePorts, ...entities.map(({ kind: _, ...each }) => each)] };
  },
  take: without,
  isOurs: ({ network }) => network !== undefined,
  anchor: ({ network = '' }) => ({ networkName: network, part: 'network' }),
  set: {
    of: () => SET,
    names: ['bind-ports'],
    nameOf: () => 'bind-ports',
    summary: ({ length }) =>
      length === 1
        ? '1 port of another node on its chassis'
        : `${counted(length, 'port')} of other nodes on their chassis`,
    command,
  },
  port: 'southbound',
  capturedIn: () => [capturedFiles.southbound],
  text: ({ port, chassis }) => `port ${port} on chassis ${chassis}`,
  add: {
    name: 'bind-port',
    mark: '+',
    dependencies: (entity) => ({ needs: [...ofNetwork(entity), dependency('chassis', entity.chassis)] }),
    command: (entity) => command([{ verb: 'add', entity }]),
  },
  replace: {
    name: 'rebind-port',
    mark: '~',
    dependencies: (entity) => ({ needs: [...ofNetwork(entity), dependency('chassis', entity.chassis)] }),
    command: (entity) => command([{ verb: 'replace', entity }]),
    inverse: ({ port }, { remotePorts }) => {
      const found = remotePorts.find((each) => each.port === port);
      return found === undefined ? [] : [{ verb: 'replace', entity: { kind: 'remote-port', ...found } }];
    },
  },
  remove: {
    name: 'release-port',
    mark: '-',
    // ovn-northd would bind it again as long as the row of the port is there.
    dependencies: () => ({}),
    command: (entity) => command([{ verb: 'remove', entity }]),
  },
};
