import { expect } from 'chai';
import { displacedText } from '../../src/domain/entities/displaceable.ts';
import { meaningOf } from '../../src/domain/operations/operation-meaning.ts';
import { presenceIn } from '../../src/domain/ownership/displaced-things.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { HostNetwork, HostOperation } from '../../src/ports/host-network.ts';
import { completeNode } from '../../src/testing/index.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import {
  addAddress,
  addNeighbour,
  address,
  addRoute,
  addRule,
  addVrf,
  default6,
  DEVICE,
  enslave,
  examples,
  hasAddress,
  hasRoute,
  linkOf,
  neighbour,
  networks,
  nextHop,
  putBack,
  removal,
  route,
  routesTo,
  type Displaced,
  VRF,
} from './host-examples.ts';

/** Milliseconds without a call after which it is assumed that no more calls follow a change: between changes, and where calls are counted. */
const [SHORT_SILENCE, SILENCE] = [50, 200];
const emptyNode = completeNode({ nodeName: 'empty' });

/** A network, and the hands of others in it. */
export interface HostStage {
  /** Of a node without any device but those that every one has. */
  readonly network: HostNetwork;
  /** An administrator does what an operation does. */
  does(operation: HostOperation): void | Promise<void>;
  /** An administrator makes a device that is up. */
  addLink(name: string): void | Promise<void>;
  /** An administrator removes a device. */
  removeLink(name: string): void | Promise<void>;
  /** An administrator gives a device another name. It is up afterwards, as before. */
  renameLink(name: string, newName: string): void | Promise<void>;
  /** The kernel says that a neighbour can be reached; it comes and goes by itself. */
  seeNeighbour(device: string, address: string): void | Promise<void>;
  /** Processes that were started for the network and still run. */
  running(): readonly number[];
  /** Takes everything away again. */
  end(): void | Promise<void>;
}

/** In one line with a reason, as it may stand in a condition. */
function expectRefusal(result: ApplyResult, reason: string): void {
  expect(result).to.have.property('done', false);
  expect(result)
    .to.have.property('error')
    .which.matches(/^[^\n]+$/)
    .and.includes(reason);
  // Whoever is told so takes it that nothing has changed.
  expect(result).to.have.property('isRefused', true);
}

/** What every network of a host does, described for one of them. */
export function describeHostNetwork(name: string, newStage: () => HostStage | Promise<HostStage>): void {
  describe(`the host's network ${name}`, () => {
    let stage: HostStage;
    beforeEach(async () => {
      stage = await newStage();
      await stage.addLink(DEVICE);
      await stage.does(addAddress('192.0.2.6', 24, DEVICE));
      await stage.does(addAddress('2001:db8:b::6', 64, DEVICE));
    });
    afterEach(async () => {
      await stage.network.close();
      await stage.end();
    });

    const apply = (operation: HostOperation) => stage.network.apply(operation);
    const read = async () => valueOf(await stage.network.read());
    const given = async (operations: readonly HostOperation[]) => {
      for (const operation of operations) {
        const result = await apply(operation);
        const told = meaningOf(operation).displaces ? ['done', 'before'] : ['done'];
        expect(result, `${meaningOf(operation).name}: ${JSON.stringify(result)}`)
          .to.have.all.keys(told)
          .and.include({ done: true });
      }
    };

    it('is read', async () => {
      const snapshot = await read();
      expect(linkOf(DEVICE, snapshot)).to.include({ kind: 'dummy', up: true, mtu: 1500, type: 'ether' });
      expect(hasAddress(DEVICE, '192.0.2.6')(snapshot)).to.equal(true);
      expect(snapshot.devlinkPorts).to.deep.equal([]);
    });

    for (const { subject, first = [], steps } of examples) {
      it(`shows with the next read that ${subject} is ${steps.map(({ what }) => what).join(', then ')}, and repeating it changes nothing`, async () => {
        await read();
        await given(first);
        for (const { what, operation, isDone } of steps) {
          await given([operation]);
          expect(isDone(await read()), what).to.equal(true);
          await apply(operation);
          expect(isDone(await read()), `${what}, asked twice`).to.equal(true);
        }
      });
    }

    for (const device of [DEVICE, 'a#b']) {
      it(`returns what existed right before ${device} moves, without a read in between`, async () => {
        if (device !== DEVICE) await stage.addLink(device);
        await given([addVrf]);
        await read();
        const things: readonly Displaced[] = [
          { kind: 'address', device, address: address('198.51.100.6', 24) },
          { kind: 'address', device, address: address('2001:db8:c::6', 64) },
          { kind: 'neighbour', neighbour: { ...neighbour('198.51.100.9'), device } },
          { kind: 'neighbour-proxy', proxy: { device, address: '198.51.100.10' } },
          { ...nextHop(5), object: { ...nextHop(5).object, device, gateway: '198.51.100.1' } },
          { kind: 'route', route: route({ nextHops: [{ device }], protocol: 'static', scope: 'link' }) },
          { kind: 'route', route: route({ ...default6, nextHops: [{ device }], protocol: 'static' }) },
        ];
        for (const operation of [enslave(device), removal(enslave(device))]) {
          const isThereYet = presenceIn({ ...emptyNode, ...(await read()) });
          for (const thing of things) if (!isThereYet(thing)) await stage.does(putBack(thing, device));
          const result = await apply(operation);
          const before = result.done ? result.before : undefined;
          expect(before?.isComplete, JSON.stringify(result)).to.equal(true);
          const isThere = presenceIn({ ...emptyNode, ...before!.entities });
          expect(things.filter((thing) => !isThere(thing)).map(displacedText), operation.verb).to.deep.equal([]);
          const wasIn = before!.entities.links.find(({ name }) => name === device)?.master;
          expect(wasIn).to.equal(operation.verb === 'add' ? undefined : VRF);
        }
      });
    }

    it('reports in one line why it refuses, and continues', async () => {
      await given([addVrf]);
      expectRefusal(await apply(enslave('br-none')), 'Cannot find device');
      expectRefusal(
        await apply(addRoute({ nextHops: [{ device: DEVICE, gateway: '203.0.113.1' }] })),
        'Nexthop has invalid gateway',
      );
      await given([addRoute()]);
      expectRefusal(await apply(addRoute()), 'File exists');
      expect(hasRoute('198.51.99.0/24')(await read())).to.equal(true);
    });

    it('applies concurrent operations in order, whether or not one of them fails', async () => {
      const results = await Promise.all(
        [
          addVrf,
          addVrf,
          enslave(),
          addRule({ family: 6 }),
          addRule(),
          enslave('br-none'),
          addAddress('169.254.0.2', 32),
        ].map(apply),
      );
      expect(results.map(({ done }) => done)).to.deep.equal([true, false, true, true, true, false, true]);
    });

    it('handles device names that are special to programs, and reports why it refuses an operation', async () => {
      const names = ['a#b', 'été', '-force', 'fifteen-letters', 'a"b', "it's", '$HOME', 'dev', 'eth1.5'];
      await given([addVrf]);
      for (const name of names) {
        const operation = addAddress('203.0.113.9', 24, name);
        await stage.addLink(name);
        await given([enslave(name), operation]);
        expectRefusal(await apply(operation), 'File exists');
      }
      const snapshot = await read();
      for (const name of names) {
        expect(linkOf(name, snapshot)?.master, name).to.equal(VRF);
        expect(hasAddress(name, '203.0.113.9')(snapshot), name).to.equal(true);
      }
    });

    it('keeps protocol and scope of each route, independent of earlier ones', async () => {
      const kinds = [
        ['94', 'link'],
        ['boot', 'site'],
        ['94', 'host'],
        ['boot', 'link'],
        ['static', 'site'],
        ['94', 'link'],
        ['static', 'host'],
        ['boot', 'site'],
        ['static', 'link'],
      ] as const;
      const routes = kinds.map(([protocol, scope], index) =>
        route({ protocol, scope, destination: `198.51.${index}.0/24`, nextHops: [{ device: DEVICE }] }),
      );
      await given(routes.map((each) => putBack({ kind: 'route', route: each })));
      const snapshot = await read();
      const found = routes.map(({ destination }) => routesTo(destination, snapshot)[0]);
      expect(found.map((each) => [each?.protocol, each?.scope ?? 'link'])).to.deep.equal(kinds);
    });

    it('uses the new device after one is deleted and created again under its name', async () => {
      await given([addVrf, addAddress('203.0.113.9', 24, DEVICE)]);
      await read();
      await stage.removeLink(DEVICE);
      await stage.addLink('other');
      await stage.addLink(DEVICE);
      await read();
      await given([
        enslave(),
        addAddress('192.0.2.6', 24, DEVICE),
        addAddress('2001:db8:b::6', 64, DEVICE),
        addRoute(),
        addRoute(default6),
      ]);
      const snapshot = await read();
      expect(linkOf(DEVICE, snapshot)?.master).to.equal(VRF);
      expect(routesTo('198.51.99.0/24', snapshot)[0]?.nextHops[0]?.device).to.equal(DEVICE);
    });

    it('uses the current name of a renamed device', async () => {
      await given([addVrf, addAddress('203.0.113.9', 24, DEVICE), enslave()]);
      await read();
      await stage.renameLink(DEVICE, 'renamed');
      await stage.renameLink(VRF, 'vrf-renamed');
      await given([addRoute({ table: 254, nextHops: [{ device: 'renamed' }] })]);
      const snapshot = await read();
      expect(linkOf('renamed', snapshot)?.master).to.equal('vrf-renamed');
      expect(routesTo('198.51.99.0/24', snapshot)[0]?.nextHops).to.deep.equal([{ device: 'renamed' }]);
    });

    it('uses the new VRF after it is deleted and created again under its name', async () => {
      await given([addVrf, addAddress('169.254.0.2', 32), enslave()]);
      await given([
        {
          verb: 'remove',
          networks,
          entity: { kind: 'membership', device: DEVICE, vrf: VRF, table: 1012, network: 'cluster_udn_blue' },
        },
        {
          verb: 'remove',
          networks,
          entity: { kind: 'vrf', name: VRF, table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
        },
      ]);
      await given([addVrf, addAddress('169.254.0.2', 32), addAddress('fd69::2', 128), enslave()]);
      const snapshot = await read();
      expect(linkOf(DEVICE, snapshot)?.master).to.equal(VRF);
      expect(hasAddress(VRF, 'fd69::2')(snapshot)).to.equal(true);
    });

    it('calls its listener for changes by other programs, but not for a neighbour that becomes reachable', async () => {
      let calls = 0;
      const silence = async (milliseconds: number): Promise<void> => {
        let before: number;
        do {
          before = calls;
          await new Promise((resolve) => setTimeout(resolve, stage.running().length > 0 ? milliseconds : 0));
        } while (calls > before);
        calls = 0;
      };
      const changes: Readonly<Record<string, () => void | Promise<void>>> = {
        'a link': () => stage.addLink('eth9'),
        'an address': () => stage.does(addAddress('203.0.113.9', 24, DEVICE)),
        'a route': () => stage.does(addRoute()),
        'an IPv6 route': () => stage.does(addRoute(default6)),
        'a rule': () => stage.does(addRule()),
        'an IPv6 rule': () => stage.does(addRule({ family: 6 })),
        'a permanent neighbour': () => stage.does(addNeighbour),
        'a next hop object': () => stage.does(putBack(nextHop(5))),
      };
      await read();
      stage.network.onChange(() => (calls += 1));
      // It is called when it has certainly begun to listen, or else for this.
      if (stage.running().length === 0) await stage.addLink('listening');
      await eventually('the listener is called', () => calls > 0);
      for (const [what, change] of Object.entries(changes)) {
        await silence(SHORT_SILENCE);
        await change();
        await eventually(`the listener is called for ${what}`, () => calls > 0);
      }
      await silence(SILENCE);
      await stage.seeNeighbour(DEVICE, '192.0.2.33');
      // Calls come in the order of changes: one for this change, and none for the neighbour.
      await stage.does(removal(addRule()));
      await eventually('the listener is called at last', () => calls > 0);
      expect(calls).to.equal(1);
    });

    it('leaves no process running and fails reads once it is closed', async () => {
      stage.network.onChange(() => undefined);
      await read();
      await given([addRule({ family: 6 }), addRule()]);
      const [underWay] = await Promise.all([stage.network.read(), stage.network.close()]);
      expect((await stage.network.read()).read).to.equal(false);
      expect((await apply(addVrf)).done).to.equal(false);
      await eventually(`all have ended (${underWay.read})`, () => stage.running().length === 0);
    });
  });
}
