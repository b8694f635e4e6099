import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import type { NoFloodPort } from '../snapshot/datapath.ts';
import { counted } from './parts.ts';
import { dependencies, dependency } from './dependencies.ts';
import type { SetKind } from './entity-kind.ts';

/**
 * That a bridge does not flood packets to a patch port: flooded to hundreds of them, a packet ends at the 4,096 resubmits of Open vSwitch
 * (docs/design/flows.md, "Neighbours"). It goes with the port.
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
  part: 'noFloodPorts',
  identity: ({ bridge, port }) => `${bridge} ${port}`,
  serves: () => true,
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
  // Nothing says who set it, and nothing has to be removed: it goes with the port.
  isOurs: () => false,
  anchor: ({ bridge, port }) => ({ bridge, patchPort: portWord(port) }),
  awaits: ({ port }) => [portWord(port)],
  set: {
    of: ({ bridge }) => bridge,
    name: 'change-flooding',
    summary: ({ length }, bridge) => `no flooding to ${counted(length, 'patch port')} of ${bridge}`,
  },
  port: 'flowTables',
  failureReason: 'UplinkBridgeMappingFailed',
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
