/**
 * Generates conflicts with a network on a node: entities of others with the key of what the network needs, and routes that cannot be
 * restored.
 */
import fc from 'fast-check';
import type { Neighbour, Route, Rule } from '../../domain/snapshot/node-snapshot.ts';
import { administratorRoute, gateway4 } from './administrator-routes.ts';

/** Conflicts with something that a network needs. */
const obstacleKinds = [
  'rule',
  'route',
  'neighbour',
  'mapping',
  'alternative name',
  'unknown attribute',
  'service route',
  'rival of a route',
  'source in another table',
  'gateway out of reach',
] as const;

/** One of them, nothing, or default routes of two interfaces, so that a node would lose one of them with its interface. */
export type Obstacle = 'nothing' | 'default routes of both' | (typeof obstacleKinds)[number];

/** Mostly nothing. */
export const obstacles: fc.Arbitrary<Obstacle> = fc.oneof(
  { withCrossShrink: true },
  { weight: 7, arbitrary: fc.constant('nothing' as const) },
  { weight: 2, arbitrary: fc.constant('default routes of both' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...obstacleKinds) },
);

/** Where an obstacle is added: an interface, another one, and an IPv4 address of the first, if it has any. */
interface ObstaclePlace {
  readonly device: string;
  readonly other: string;
  readonly source: string | undefined;
}

/** Parts of an obstacle. */
interface ObstacleParts {
  readonly routes?: readonly Route[];
  readonly rules?: readonly Rule[];
  readonly neighbours?: readonly Neighbour[];
  readonly mapping?: string;
  /** An alternative name of another device. */
  readonly alternativeName?: string;
}

/** The obstacle at its place. */
export function obstacleOn({ device, other, source }: ObstaclePlace, obstacle: Obstacle): ObstacleParts {
  switch (obstacle) {
    case 'rule':
      return { rules: [{ family: 4, priority: 1999, table: 77, protocol: 'boot', mark: 0x1001, others: {} }] };
    case 'route':
      return {
        routes: [
          administratorRoute({ destination: '10.96.0.0/16', nextHops: [{ device, gateway: gateway4 }], table: 1012 }),
        ],
      };
    case 'service route':
      return {
        routes: [administratorRoute({ destination: '10.96.0.0/16', nextHops: [{ device, gateway: gateway4 }] })],
      };
    case 'neighbour':
      return {
        neighbours: [{ device, address: '169.254.0.4', macAddress: '02:00:00:00:99:99', states: ['permanent'] }],
      };
    case 'mapping':
      return { mapping: 'cluster_udn_blue:br-other' };
    case 'alternative name':
      return { alternativeName: 'blue' };
    case 'unknown attribute':
      return {
        routes: [
          administratorRoute({
            destination: '198.51.109.0/24',
            nextHops: [{ device, gateway: gateway4 }],
            unknownAttributes: ['encap'],
          }),
        ],
      };
    case 'rival of a route':
      return {
        routes: [
          administratorRoute({ destination: '198.51.99.0/24', nextHops: [], type: 'blackhole', table: 1012 }),
          administratorRoute({ destination: '198.51.99.0/24', nextHops: [{ device, gateway: '192.0.2.253' }] }),
        ],
      };
    case 'source in another table':
      return {
        routes: [
          administratorRoute({
            destination: '198.51.110.0/24',
            nextHops: [{ device, gateway: gateway4 }],
            table: 77,
            ...(source !== undefined && { preferredSource: source }),
          }),
        ],
      };
    case 'gateway out of reach':
      // The kernel keeps such routes where the address that their gateway was reached by was removed.
      return {
        routes: [
          administratorRoute({ destination: '198.51.111.0/24', nextHops: [{ device, gateway: '198.51.200.1' }] }),
          administratorRoute({
            destination: '2001:db8:4::/48',
            nextHops: [{ device, gateway: '2001:db8:ff::1' }],
            metric: 1024,
          }),
        ],
      };
    case 'default routes of both':
      return {
        routes: [device, other].map((name, position) =>
          administratorRoute({
            destination: '0.0.0.0/0',
            nextHops: [{ device: name, gateway: gateway4 }],
            metric: 200 + position,
          }),
        ),
      };
    case 'nothing':
      return {};
  }
}
