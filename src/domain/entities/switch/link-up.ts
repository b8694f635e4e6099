import { takeDown } from '../../node-model/link-down.ts';
import { setUp } from '../../node-model/link.ts';
import { done } from '../../node-model/change.ts';
import { isManagementPortName } from '../../network/names/management-port.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { ip } from '../command.ts';
import { managementPortsOn } from './management-port.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityKind } from '../entity-kind.ts';
import { withLinks } from '../parts.ts';

/**
 * A management port that is administratively up. Open vSwitch adds its device down. VRF devices are up as they are created, and no other device is set up
 * by ovn-uplinks.
 */
export interface LinkUpEntity {
  readonly kind: 'link-up';
  readonly device: string;
  /** Present if the port is managed. */
  readonly isManaged?: true;
}

function linksUp({ links, bridges }: NodeSnapshot): readonly LinkUpEntity[] {
  const up = links.filter((link) => link.up && isManagementPortName(link.name));
  if (up.length === 0) return [];
  const ports = bridges.flatMap(managementPortsOn).filter(({ network }) => network !== undefined);
  const managed = new Set(ports.map(({ device }) => device));
  return up.map(({ name: device }) => ({
    kind: 'link-up',
    device,
    ...(managed.has(device) && { isManaged: true as const }),
  }));
}

function withUp(node: NodeSnapshot, entities: readonly LinkUpEntity[], up: boolean): NodeSnapshot {
  const devices = new Set(entities.map(({ device }) => device));
  return withLinks(node, (link) => (devices.has(link.name) ? { ...link, up } : link));
}

/** The node with a device down, as `ip link set dev NAME down` leaves it. */
function withLinkDown(node: NodeSnapshot, device: string): NodeSnapshot {
  const downed = takeDown(node, { down: new Set([device]) });
  return withLinks(downed, (link) => (link.name === device ? { ...link, up: false, operationalState: 'down' } : link));
}

export const linkUp: EntityKind<LinkUpEntity, 'hostNetwork'> = {
  kind: 'link-up',
  parts: ['links', 'bridges'],
  identity: ({ device }) => device,
  satisfies: () => true,
  all: linksUp,
  put: (node, entities) => withUp(node, entities, true),
  take: (node, entities) => withUp(node, entities, false),
  isOurs: ({ isManaged }) => isManaged === true,
  anchor: ({ device }) => ({ device }),
  basis: ({ device }) => [`management-port ${device}`],
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.links],
  text: ({ device }) => `${device} up`,
  add: {
    name: 'set-up',
    mark: '~',
    dependencies: ({ device }, networks) => ({
      makes: [dependency('up', device), ...dependencies('network', networks)],
      // In its VRF first: the kernel would cycle its link, and until then it would be in the default routing domain.
      needs: [dependency('link', device), dependency('after-cycle', device)],
    }),
    effect: ({ device }, node) => setUp(node, device),
    command: ({ device }) => ip('link', 'set', 'dev', device, 'up'),
    discrepancy: ({ device }) => ({ path: device, found: 'down', wanted: 'up' }),
  },
  remove: {
    name: 'set-down',
    mark: '~',
    // Before it leaves its VRF: it is never up in the default routing domain.
    dependencies: ({ device }, networks) => ({
      uses: [dependency('link', device), dependency('before-cycle', device)],
      ends: [dependency('up', device), ...dependencies('traffic', networks)],
    }),
    effect: ({ device }, node) => done(withLinkDown(node, device)),
    command: ({ device }) => ip('link', 'set', 'dev', device, 'down'),
    summary: ({ device }) => `${device} down`,
  },
};
