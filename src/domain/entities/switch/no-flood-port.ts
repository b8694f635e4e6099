import { portWord } from '../../datapath/openflow/port-word.ts';
import { patchPortName } from '../../snapshot/patch-ports.ts';
import type { NoFloodPort } from '../../snapshot/datapath.ts';
import { counted } from '../../basics/names/counted.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { SetKind } from '../entity-kind.ts';

/**
 * The setting of a patch port that packets are not flooded to it: Open vSwitch ends a packet that is flooded to hundreds of them after 4,096
 * resubmits (docs/design/flows.md, "Neighbours"). The setting is lost with the port.
 */
export interface NoFloodPortEntity extends NoFloodPort {
  readonly kind: 'no-flood-port';
}

const isSame = (left: NoFloodPort, right: NoFloodPort) => left.bridge === right.bridge && left.port === right.port;

/** Only OpenFlow 1.0 has the setting: with a later version the command changes nothing (tried on Open vSwitch 3.1). */
function command(setting: 'no-flood' | 'flood') {
  return ({ bridge, port }: NoFloodPort) => ({
    program: 'ovs-ofctl',
    arguments: ['-O', 'OpenFlow10', 'mod-port', bridge, port, setting],
  });
}

export const noFloodPort: SetKind<NoFloodPortEntity, 'flowTables'> = {
  kind: 'no-flood-port',
  parts: ['noFloodPorts'],
  identity: ({ bridge, port }) => `${bridge} ${port}`,
  satisfies: () => true,
  all: ({ noFloodPorts }) => noFloodPorts.map((each) => ({ kind: 'no-flood-port', ...each })),
  put: (node, entities) => ({
    ...node,
    noFloodPorts: [...node.noFloodPorts, ...entities.map(({ bridge, port }) => ({ bridge, port }))],
  }),
  take: (node, entities) => ({
    ...node,
    noFloodPorts: node.noFloodPorts.filter((found) => !entities.some((entity) => isSame(entity, found))),
  }),
  comparable: ({ bridge, port }) => ({ bridge, port }),
  // It has no owner and is never removed: it is lost with the port.
  isOurs: () => false,
  anchor: ({ bridge, port }) => ({ bridge, patchPort: portWord(port) }),
  awaits: ({ port }) => [portWord(port)],
  set: {
    of: ({ bridge }) => bridge,
    names: ['change-flooding'],
    nameOf: () => 'change-flooding',
    summary: ({ length }, bridge) => `no flooding to ${counted(length, 'patch port')} of ${bridge}`,
  },
  port: 'flowTables',
  capturedIn: ({ bridge }) => [`${capturedFiles.ports}${bridge}.txt`],
  text: ({ bridge, port }) => `no flooding to ${port} of ${bridge}`,
  add: {
    name: 'set-no-flood',
    mark: '~',
    dependencies: ({ port }, networks) => ({
      makes: [dependency('flooding', portWord(port)), ...dependencies('flows', networks)],
      needs: [dependency('patch-port', portWord(port))],
    }),
    command: command('no-flood'),
  },
  remove: {
    name: 'set-flood',
    mark: '~',
    dependencies: ({ port }) => ({ uses: [dependency('patch-port', portWord(port))] }),
    command: command('flood'),
  },
};

/** The setting for the patch port of a localnet port. */
export function noFloodTo(bridge: string, localnetPort: string): NoFloodPortEntity {
  return { kind: 'no-flood-port', bridge, port: patchPortName(localnetPort) };
}
