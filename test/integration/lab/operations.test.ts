import { expect } from 'chai';
import { emptyLedger, type LedgerEntry, type Operation, type Route } from '../../../src/domain/index.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { sharedMachine } from './shared-machine.ts';
import { commandOf, isRefused, Twin } from './twin.ts';

const networks = ['blue'];
const networkName = 'cluster_udn_blue';
const alias = `ovn-uplinks:${networkName}`;
const setting = 'net.ipv4.conf.br-blue.rp_filter';
const address = { address: '169.254.0.2', prefixLength: 32, scope: 'global', flags: [] };
const ownRoute: Route = {
  family: 4,
  destination: '0.0.0.0/0',
  table: 1012,
  metric: 0,
  type: 'unicast',
  protocol: '94',
  nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
  metrics: { mtu: 1400 },
};
const rule = { family: 4, priority: 2000, mark: 0x1007, table: 1012, protocol: '94', others: {} } as const;
const neighbour = {
  device: 'br-blue',
  address: '169.254.0.4',
  macAddress: '0a:58:a9:fe:00:04',
  states: ['permanent'],
  protocol: '94',
};
const { metrics: _metrics, ...plainRoute } = ownRoute;
const staticRoute: Route = { ...plainRoute, destination: '198.51.99.0/24', table: 254, protocol: 'static' };

const make = {
  vrf: { kind: 'add-vrf', networks, vrf: 'blue', table: 1012, networkName },
  signature: { kind: 'sign-vrf', networks, vrf: 'blue', alias },
  membership: { kind: 'enslave', networks, device: 'br-blue', vrf: 'blue', table: 1012, networkName },
  address: { kind: 'add-address', networks, device: 'blue', address },
  route: { kind: 'add-route', networks, route: ownRoute },
  rule: { kind: 'add-rule', networks, rule },
  neighbour: { kind: 'add-neighbour', networks, neighbour },
  mapping: { kind: 'add-bridge-mapping', networks, networkName, bridge: 'br-blue' },
  placed: {
    kind: 'put-back',
    networks,
    device: 'br-blue',
    thing: { type: 'route', route: { ...staticRoute, table: 1012 } },
    origin: { type: 'route', route: staticRoute },
  },
} as const satisfies Readonly<Record<string, Operation>>;
const signedVrf = [make.vrf, make.signature];

/** One operation of a kind, done to a node once others are done. */
interface Example<Kind extends Operation> {
  readonly first: readonly Operation[];
  /** What somebody else does then. */
  readonly commands?: readonly ArgumentVector[];
  readonly operation: Kind;
  /** What the kernel says to the same command again: nothing where it is done twice. */
  readonly again?: string;
  /** Whether the inverse, if there is one, is not meant to lead back. */
  readonly oneWay?: true;
}

const examples: { readonly [Kind in Operation['kind']]: Example<Extract<Operation, { kind: Kind }>> } = {
  'add-vrf': { first: [], operation: make.vrf, again: 'File exists' },
  'sign-vrf': { first: [make.vrf], operation: make.signature, oneWay: true },
  'bring-up-vrf': {
    first: signedVrf,
    commands: [ip`link set blue down`],
    operation: { kind: 'bring-up-vrf', networks, vrf: 'blue' },
    oneWay: true,
  },
  'delete-vrf': {
    first: signedVrf,
    operation: { kind: 'delete-vrf', networks, vrf: 'blue' },
    again: 'Cannot find device',
  },
  enslave: { first: signedVrf, operation: make.membership },
  release: {
    first: [...signedVrf, make.membership],
    operation: { kind: 'release', networks, device: 'br-blue', vrf: 'blue' },
  },
  'put-back': { first: [...signedVrf, make.membership], operation: make.placed, again: 'File exists' },
  'take-back': {
    first: [...signedVrf, make.membership, make.placed],
    operation: { ...make.placed, kind: 'take-back' },
    again: 'No such process',
  },
  'add-address': { first: signedVrf, operation: make.address },
  'delete-address': {
    first: [...signedVrf, make.address],
    operation: { ...make.address, kind: 'delete-address' },
    again: 'Cannot assign requested address',
  },
  'add-route': { first: [], operation: make.route, again: 'File exists' },
  'replace-route': {
    first: [make.route],
    operation: {
      ...make.route,
      kind: 'replace-route',
      route: {
        ...ownRoute,
        nextHops: [
          { device: 'br-blue', gateway: '192.0.2.2' },
          { device: 'br-blue', gateway: '192.0.2.3' },
        ],
      },
    },
  },
  'delete-route': {
    first: [make.route],
    operation: { ...make.route, kind: 'delete-route' },
    again: 'No such process',
  },
  'add-rule': { first: [], operation: make.rule, again: 'File exists' },
  'delete-rule': {
    first: [make.rule],
    operation: { ...make.rule, kind: 'delete-rule' },
    again: 'No such file or directory',
  },
  'set-sysctl': {
    first: [],
    operation: { kind: 'set-sysctl', networks, device: 'br-blue', name: setting, value: '1', restores: false },
  },
  'add-neighbour': { first: [], operation: make.neighbour },
  'delete-neighbour': {
    first: [make.neighbour],
    operation: { ...make.neighbour, kind: 'delete-neighbour' },
    again: 'No such file or directory',
  },
  'add-bridge-mapping': { first: [], operation: make.mapping, again: 'timed out' },
  'remove-bridge-mapping': {
    first: [make.mapping],
    operation: { ...make.mapping, kind: 'remove-bridge-mapping' },
    again: 'timed out',
  },
};

describe('an operation of kind', () => {
  const nodes: LabNode[] = [];
  /** Nodes on which nothing is left of an earlier example. */
  const tidy: Twin[] = [];
  after(async () => {
    await Promise.all(nodes.map((node) => node.end()));
  });

  async function newTwin(): Promise<Twin> {
    const node = await (await sharedMachine()).node(`operations-${nodes.length}`);
    nodes.push(node);
    await node.does(
      ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
      ip`route add 198.51.99.0/24 via 192.0.2.1 dev br-blue proto static`,
      // The first VRF of a node brings rules that never go.
      ip`link add corp type vrf table 500`,
      ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
    );
    return Twin.of(node);
  }

  for (const [kind, example] of Object.entries<Example<Operation>>(examples)) {
    it(`${kind} does to a real node what it does to the model, ${title(example)}`, async () => {
      const { first, commands = [], operation, again, oneWay } = example;
      const both = tidy.pop() ?? (await newTwin());
      const start = await both.look(emptyLedger);
      const tidyUp = both.inverse(...first);
      await both.do(...first);
      if (commands.length > 0) {
        await both.node.does(...commands);
        await both.look();
      }
      const before = both.model;
      const back = both.inverse(operation);
      await both.do(operation);

      const command = commandOf(operation, before);
      const run = await both.node.run(command);
      expect(isRefused(run, command), run.stderr).to.equal(again !== undefined);
      expect(`${run.stdout}${run.stderr}`).to.include(again ?? '');
      expect(await both.differences()).to.deep.equal([]);

      expect(back.length === 0).to.equal(oneWay === true);
      if (oneWay !== true) {
        await both.do(...back);
        expect(await both.differences(before)).to.deep.equal([]);
        expect(withoutPlaces(both.model.ledger.entries)).to.deep.equal(withoutPlaces(before.ledger.entries));
      }
      await both.do(...tidyUp);
      expect(await both.differences(start)).to.deep.equal([]);
      tidy.push(both);
    });
  }

  function title({ again, oneWay }: Example<Operation>): string {
    const twice = again === undefined ? 'may be done twice' : `is told "${again}" the second time`;
    return `${twice}${oneWay === true ? '' : ', and is taken back by its inverse'}`;
  }

  /** That something is in its place again, the ledger may remember. */
  function withoutPlaces(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
    return entries.filter(({ kind }) => kind !== 'displaced');
  }
});
