import { partOf, stringEnum } from '../../api/schema.ts';
import { addNeighbourProxy, deleteNeighbourProxy } from '../../node-model/neighbours/neighbour-proxy.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { NeighbourProxy } from '../../snapshot/node-snapshot.ts';
import { type Command, ip, option } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependency } from '../dependencies.ts';
import type { DisplaceableKind } from '../entity-kind.ts';
import { optionalText, text, yes } from '../ledger-schema.ts';
import { without } from '../parts.ts';

/** An address that a device answers for. ovn-uplinks adds none. */
export type NeighbourProxyEntity = Extract<DisplacedEntity, { kind: 'neighbour-proxy' }>;

/** A proxy entry as an entity. */
export function neighbourProxyEntity(proxy: NeighbourProxy): NeighbourProxyEntity {
  return { kind: 'neighbour-proxy', proxy };
}

/** `ip neighbour add proxy`, which succeeds where the entry exists already. */
function addCommand({ proxy: { address, device, router, protocol } }: NeighbourProxyEntity): Command {
  return ip(
    ['neighbour', 'add', 'proxy', address, 'dev', device],
    router === true ? ['router'] : [],
    option('protocol', protocol),
  );
}

const schema = partOf({
  kind: stringEnum(['neighbour-proxy']),
  proxy: partOf({ device: text, address: text, protocol: optionalText, router: yes }),
});

export const neighbourProxy: DisplaceableKind<NeighbourProxyEntity> = {
  kind: 'neighbour-proxy',
  parts: ['neighbourProxies'],
  identity: ({ proxy: { device, address } }) => `${device} ${address}`,
  satisfies: ({ proxy: found }, { proxy: desired }) => found.router === desired.router,
  all: ({ neighbourProxies }) => neighbourProxies.map(neighbourProxyEntity),
  put: (node, entities) => ({
    ...node,
    neighbourProxies: [...node.neighbourProxies, ...entities.map(({ proxy }) => proxy)],
  }),
  take: (node, entities) => ({
    ...node,
    neighbourProxies: without(node.neighbourProxies, entities, ({ proxy }) => proxy),
  }),
  comparable: ({ proxy }) => proxy,
  source: ({ proxy }) => proxy,
  isOurs: () => false,
  anchor: ({ proxy: { device } }) => ({ device }),
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.neighbourProxies],
  text: ({ proxy: { address, device } }) => `proxy entry for neighbour ${address} on ${device}`,
  add: {
    name: 'add-neighbour-proxy',
    mark: '+',
    dependencies: () => ({}),
    effect: ({ proxy }, node) => addNeighbourProxy(node, proxy),
    command: addCommand,
  },
  remove: {
    name: 'delete-neighbour-proxy',
    mark: '-',
    dependencies: ({ proxy: { device } }) => ({ uses: [dependency('before-cycle', device)] }),
    effect: ({ proxy }, node) => deleteNeighbourProxy(node, proxy),
    command: ({ proxy: { address, device } }) => ip('neighbour', 'delete', 'proxy', address, 'dev', device),
  },
  displaced: {
    schema,
    key: ({ proxy: { device, address } }) => `neighbour-proxy ${device} ${address}`,
    name: ({ proxy }) => proxy.address,
    device: ({ proxy }) => proxy.device,
    isPutBack: () => true,
    dependencies: () => ({}),
    restore: ({ proxy }, node) => addNeighbourProxy(node, proxy),
    restoreCommand: addCommand,
  },
};
