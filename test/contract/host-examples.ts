import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { vrfSignature } from '../../src/domain/network/names/vrf-signature.ts';
import type { HostOperation, HostSnapshot } from '../../src/ports/node/host-network.ts';

type Route = HostSnapshot['routes'][number];
type Rule = HostSnapshot['rules'][number];
export type Displaced = Extract<HostOperation, { verb: 'put-back' }>['entity'];

/** An operation, and its expected result in a snapshot. */
interface Example {
  readonly what: string;
  readonly operation: HostOperation;
  readonly isDone: (snapshot: HostSnapshot) => boolean;
}

/** Operations on one subject, applied one after the other. */
interface Examples {
  readonly subject: string;
  readonly first?: readonly HostOperation[];
  readonly steps: readonly Example[];
}

export const networks = [clusterNetworkKey('blue')];

export const [VRF, TABLE, DEVICE] = ['blue', 1012, 'br-blue'] as const;

export function route(more: Partial<Route> = {}): Route {
  const key = { family: 4, destination: '198.51.99.0/24', table: TABLE, metric: 0 } as const;
  return { ...key, type: 'unicast', protocol: '94', nextHops: [{ device: DEVICE, gateway: '192.0.2.1' }], ...more };
}

const rule = (more: Partial<Rule> = {}): Rule => ({
  ...{ family: 4, priority: 1999, mark: 0x1007, table: TABLE, protocol: '94', others: {}, ...more },
});
export const address = (text: string, prefixLength: number) => ({
  ...{ address: text, prefixLength, scope: 'global', flags: text.includes(':') ? ['nodad'] : [] },
});
export const neighbour = (text: string, protocol?: string) => ({
  ...{
    device: DEVICE,
    address: text,
    macAddress: '0a:58:a9:fe:00:04',
    states: ['permanent'],
    ...(protocol && { protocol }),
  },
});
export const nextHop = (id: number) =>
  ({
    kind: 'next-hop-object',
    object: { id, family: 4, device: DEVICE, gateway: '192.0.2.1', protocol: 'static' },
  }) as const;
export const putBack = (entity: Displaced, device: string = DEVICE): HostOperation => ({
  verb: 'put-back',
  networks,
  device,
  entity,
});
const takeBack = (entity: Displaced): HostOperation => ({ verb: 'take-back', networks, device: DEVICE, entity });
export const addAddress = (text: string, prefixLength: number, device: string = VRF): HostOperation => ({
  ...{ verb: 'add', networks, entity: { kind: 'address', device, address: address(text, prefixLength) } },
});
export const addRoute = (more?: Partial<Route>): HostOperation => ({
  verb: 'add',
  networks,
  entity: { kind: 'route', route: route(more) },
});
export const addRule = (more?: Partial<Rule>): HostOperation => ({
  verb: 'add',
  networks,
  entity: { kind: 'rule', rule: rule(more) },
});
/** Removes what an operation added. */
export function removal(operation: HostOperation): HostOperation {
  return { ...operation, verb: 'remove' };
}

export const addVrf: HostOperation = {
  verb: 'add',
  networks,
  entity: { kind: 'vrf', name: VRF, table: TABLE, alias: vrfSignature('cluster_udn_blue'), up: true },
};
export const enslave = (device: string = DEVICE): HostOperation => ({
  verb: 'add',
  networks,
  entity: { kind: 'membership', device, vrf: VRF, table: TABLE, network: 'cluster_udn_blue' },
});
export const addNeighbour: HostOperation = {
  verb: 'add',
  networks,
  entity: { kind: 'neighbour', neighbour: neighbour('192.0.2.4', '94') },
};

export const linkOf = (name: string, { links }: HostSnapshot) => links.find((link) => link.name === name);
export const hasAddress = (name: string, text: string) => (snapshot: HostSnapshot) =>
  linkOf(name, snapshot)?.addresses.some((each) => each.address === text) === true;
export const routesTo = (destination: string, { routes }: HostSnapshot) =>
  routes.filter((each) => each.destination === destination);
export const hasRoute = (destination: string) => (snapshot: HostSnapshot) => routesTo(destination, snapshot).length > 0;
const hasRule =
  (family: 4 | 6) =>
  ({ rules }: HostSnapshot) =>
    rules.some((each) => each.family === family && each.priority === 1999);
const hasNeighbour =
  (text: string) =>
  ({ neighbours }: HostSnapshot) =>
    neighbours.some((each) => each.address === text && each.states.includes('permanent'));
const hasNextHop = ({ nextHopObjects }: HostSnapshot) => nextHopObjects.some(({ id }) => id === 5);
const not = (condition: (snapshot: HostSnapshot) => boolean) => (snapshot: HostSnapshot) => !condition(snapshot);

export const default6 = {
  family: 6,
  destination: '2001:db8:9::/48',
  metric: 50,
  nextHops: [{ device: DEVICE, gateway: '2001:db8:b::1' }],
} as const;

export const examples: readonly Examples[] = [
  {
    subject: 'a VRF',
    steps: [
      { what: 'added', operation: addVrf, isDone: (snapshot) => linkOf(VRF, snapshot)?.vrfTable === TABLE },
      {
        what: 'signed',
        operation: {
          verb: 'replace',
          networks,
          entity: { kind: 'vrf', name: VRF, alias: 'ovn-uplinks:cluster_udn_blue', table: 1012, up: true },
        },
        isDone: (snapshot) => linkOf(VRF, snapshot)?.alias === 'ovn-uplinks:cluster_udn_blue',
      },
      {
        what: 'brought up',
        operation: {
          verb: 'replace',
          networks,
          entity: { kind: 'vrf', name: VRF, table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
        },
        isDone: (snapshot) => linkOf(VRF, snapshot)?.up === true,
      },
      {
        what: 'deleted',
        operation: {
          verb: 'remove',
          networks,
          entity: { kind: 'vrf', name: VRF, table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
        },
        isDone: (snapshot) => linkOf(VRF, snapshot) === undefined,
      },
    ],
  },
  {
    subject: 'an interface',
    first: [addVrf],
    steps: [
      { what: 'enslaved', operation: enslave(), isDone: (snapshot) => linkOf(DEVICE, snapshot)?.master === VRF },
      {
        what: 'released',
        operation: {
          verb: 'remove',
          networks,
          entity: { kind: 'membership', device: DEVICE, vrf: VRF, table: 1012, network: 'cluster_udn_blue' },
        },
        isDone: (snapshot) => linkOf(DEVICE, snapshot)?.master === undefined,
      },
    ],
  },
  ...(['169.254.0.2', 'fd69::2'] as const).map((text): Examples => {
    const added = addAddress(text, text.includes(':') ? 128 : 32);
    return {
      subject: `address ${text}`,
      first: [addVrf],
      steps: [
        { what: 'added', operation: added, isDone: hasAddress(VRF, text) },
        {
          what: 'deleted',
          operation: removal(added),
          isDone: not(hasAddress(VRF, text)),
        },
      ],
    };
  }),
  ...[route(), route(default6)].map((each): Examples => ({
    subject: `an IPv${each.family} route`,
    steps: [
      { what: 'added', operation: addRoute(each), isDone: hasRoute(each.destination) },
      {
        what: 'replaced',
        operation: { verb: 'replace', networks, entity: { kind: 'route', route: { ...each, metrics: { mtu: 1400 } } } },
        isDone: (snapshot) =>
          routesTo(each.destination, snapshot)
            .map(({ metrics }) => metrics?.['mtu'])
            .join() === '1400',
      },
      {
        what: 'deleted',
        operation: { verb: 'remove', networks, entity: { kind: 'route', route: each } },
        isDone: not(hasRoute(each.destination)),
      },
    ],
  })),
  ...([4, 6] as const).map((family): Examples => ({
    subject: `an IPv${family} rule`,
    steps: [
      { what: 'added', operation: addRule({ family }), isDone: hasRule(family) },
      {
        what: 'deleted',
        operation: { verb: 'remove', networks, entity: { kind: 'rule', rule: rule({ family }) } },
        isDone: not(hasRule(family)),
      },
    ],
  })),
  {
    subject: 'a neighbour',
    steps: [
      { what: 'added', operation: addNeighbour, isDone: hasNeighbour('192.0.2.4') },
      {
        what: 'deleted',
        operation: removal(addNeighbour),
        isDone: not(hasNeighbour('192.0.2.4')),
      },
    ],
  },
  ...['192.0.2.5', '2001:db8:b::5'].map((text): Examples => {
    const managed = { ...neighbour(text), states: ['reachable', 'managed'] };
    const isManaged = ({ neighbours }: HostSnapshot) =>
      neighbours.some(
        ({ address: each, macAddress, states }) =>
          each === text && macAddress === managed.macAddress && states.includes('managed'),
      );
    const entity: Displaced = { kind: 'neighbour', neighbour: managed };
    return {
      subject: `neighbour ${text}, which the kernel keeps resolved, with its MAC address`,
      steps: [
        { what: 'put back', operation: putBack(entity), isDone: isManaged },
        { what: 'taken back', operation: takeBack(entity), isDone: not(isManaged) },
      ],
    };
  }),
  {
    subject: 'a next hop object',
    steps: [
      { what: 'put back', operation: putBack(nextHop(5)), isDone: hasNextHop },
      { what: 'taken back', operation: takeBack(nextHop(5)), isDone: not(hasNextHop) },
    ],
  },
];
