import { expect } from 'chai';
import { displacedText } from '../../src/domain/entities/displaceable.ts';
import { semanticsOf } from '../../src/domain/entities/operations/operation-semantics.ts';
import { presenceIn } from '../../src/domain/entities/ownership/displaced-entities.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { HostNetwork, HostOperation } from '../../src/ports/node/host-network.ts';
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

const emptyNode = completeNode({ nodeName: 'empty' });

/** A network, and the means to change it as an administrator, another program or the kernel would. */
export interface HostNetworkUnderTest {
  /** Of a node without devices other than those of every node. */
  readonly network: HostNetwork;
  applyByHand(operation: HostOperation): void | Promise<void>;
  /** Adds a device that is up. */
  addLink(name: string): void | Promise<void>;
  removeLink(name: string): void | Promise<void>;
  /** Renames a device, which stays up. */
  renameLink(name: string, newName: string): void | Promise<void>;
  /** Makes a neighbour reachable, a state that the kernel sets and clears by itself. */
  reachNeighbour(device: string, address: string): void | Promise<void>;
  /**
   * Makes another change. Returns when the listener has been called for it: exactly once, and after every call for an earlier change. The listener
   * must have been called before.
   */
  notifyOnce(): void | Promise<void>;
  /** Process ids of the programs that the network runs. */
  runningPrograms(): readonly number[];
  cleanUp(): void | Promise<void>;
}

/** The reason has to be one line, for a condition. */
function expectRefusal(result: ApplyResult, reason: string): void {
  expect(result).to.have.property('done', false);
  expect(result)
    .to.have.property('error')
    .which.matches(/^[^\n]+$/)
    .and.includes(reason);
  // The loop relies on it that nothing has changed.
  expect(result).to.have.property('isRefused', true);
}

/** Tests an implementation of HostNetwork. */
export function describeHostNetwork(name: string, start: () => HostNetworkUnderTest): void {
  describe(`HostNetwork: ${name}`, () => {
    let host: HostNetworkUnderTest;
    beforeEach(async () => {
      host = start();
      await host.addLink(DEVICE);
      await host.applyByHand(addAddress('192.0.2.6', 24, DEVICE));
      await host.applyByHand(addAddress('2001:db8:b::6', 64, DEVICE));
    });
    afterEach(async () => {
      await host.network.close();
      await host.cleanUp();
    });

    const apply = (operation: HostOperation) => host.network.apply(operation);
    const read = async () => valueOf(await host.network.read());
    const applyAll = async (operations: readonly HostOperation[]) => {
      for (const operation of operations) {
        const result = await apply(operation);
        const fields = semanticsOf(operation).displaces ? ['done', 'before'] : ['done'];
        expect(result, `${semanticsOf(operation).name}: ${JSON.stringify(result)}`)
          .to.have.all.keys(fields)
          .and.include({ done: true });
      }
    };

    it('reads devices and their addresses', async () => {
      const snapshot = await read();
      expect(linkOf(DEVICE, snapshot)).to.include({ kind: 'dummy', up: true, mtu: 1500, type: 'ether' });
      expect(hasAddress(DEVICE, '192.0.2.6')(snapshot)).to.equal(true);
      expect(snapshot.devlinkPorts).to.deep.equal([]);
    });

    for (const { subject, first = [], steps } of examples) {
      it(`reads ${subject} after it is ${steps.map(({ what }) => what).join(', then ')}; doing so again changes nothing`, async () => {
        await read();
        await applyAll(first);
        for (const { what, operation, isDone } of steps) {
          await applyAll([operation]);
          expect(isDone(await read()), what).to.equal(true);
          await apply(operation);
          expect(isDone(await read()), `${what} twice`).to.equal(true);
        }
      });
    }

    for (const device of [DEVICE, 'a#b']) {
      it(`returns what existed right before ${device} is enslaved or released, without a read in between`, async () => {
        if (device !== DEVICE) await host.addLink(device);
        await applyAll([addVrf]);
        await read();
        const entities: readonly Displaced[] = [
          { kind: 'address', device, address: address('198.51.100.6', 24) },
          { kind: 'address', device, address: address('2001:db8:c::6', 64) },
          { kind: 'neighbour', neighbour: { ...neighbour('198.51.100.9'), device } },
          { kind: 'neighbour-proxy', proxy: { device, address: '198.51.100.10' } },
          { ...nextHop(5), object: { ...nextHop(5).object, device, gateway: '198.51.100.1' } },
          { kind: 'route', route: route({ nextHops: [{ device }], protocol: 'static', scope: 'link' }) },
          { kind: 'route', route: route({ ...default6, nextHops: [{ device }], protocol: 'static' }) },
        ];
        for (const operation of [enslave(device), removal(enslave(device))]) {
          const existed = presenceIn({ ...emptyNode, ...(await read()) });
          for (const entity of entities) if (!existed(entity)) await host.applyByHand(putBack(entity, device));
          const result = await apply(operation);
          const before = result.done ? result.before : undefined;
          expect(before?.isComplete, JSON.stringify(result)).to.equal(true);
          const isListed = presenceIn({ ...emptyNode, ...before!.entities });
          expect(entities.filter((entity) => !isListed(entity)).map(displacedText), operation.verb).to.deep.equal([]);
          const master = before!.entities.links.find(({ name }) => name === device)?.master;
          expect(master).to.equal(operation.verb === 'add' ? undefined : VRF);
        }
      });
    }

    it('reports in one line why an operation is refused, and continues', async () => {
      await applyAll([addVrf]);
      expectRefusal(await apply(enslave('br-none')), 'Cannot find device');
      expectRefusal(
        await apply(addRoute({ nextHops: [{ device: DEVICE, gateway: '203.0.113.1' }] })),
        'Nexthop has invalid gateway',
      );
      await applyAll([addRoute()]);
      expectRefusal(await apply(addRoute()), 'File exists');
      expect(hasRoute('198.51.99.0/24')(await read())).to.equal(true);
    });

    it('applies concurrent operations in order, even if one fails', async () => {
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

    it('accepts device names that are special to programs, also when an operation is refused', async () => {
      const names = ['a#b', 'été', '-force', 'fifteen-letters', 'a"b', "it's", '$HOME', 'dev', 'eth1.5'];
      await applyAll([addVrf]);
      for (const name of names) {
        const operation = addAddress('203.0.113.9', 24, name);
        await host.addLink(name);
        await applyAll([enslave(name), operation]);
        expectRefusal(await apply(operation), 'File exists');
      }
      const snapshot = await read();
      for (const name of names) {
        expect(linkOf(name, snapshot)?.master, name).to.equal(VRF);
        expect(hasAddress(name, '203.0.113.9')(snapshot), name).to.equal(true);
      }
    });

    it('adds each route with its own protocol and scope, whatever was added before', async () => {
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
      await applyAll(routes.map((each) => putBack({ kind: 'route', route: each })));
      const snapshot = await read();
      const found = routes.map(({ destination }) => routesTo(destination, snapshot)[0]);
      expect(found.map((each) => [each?.protocol, each?.scope ?? 'link'])).to.deep.equal(kinds);
    });

    it('changes the new device after one is deleted and created again with the same name', async () => {
      await applyAll([addVrf, addAddress('203.0.113.9', 24, DEVICE)]);
      await read();
      await host.removeLink(DEVICE);
      await host.addLink('other');
      await host.addLink(DEVICE);
      await read();
      await applyAll([
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

    it('reports the current name of a renamed device', async () => {
      await applyAll([addVrf, addAddress('203.0.113.9', 24, DEVICE), enslave()]);
      await read();
      await host.renameLink(DEVICE, 'renamed');
      await host.renameLink(VRF, 'vrf-renamed');
      await applyAll([addRoute({ table: 254, nextHops: [{ device: 'renamed' }] })]);
      const snapshot = await read();
      expect(linkOf('renamed', snapshot)?.master).to.equal('vrf-renamed');
      expect(routesTo('198.51.99.0/24', snapshot)[0]?.nextHops).to.deep.equal([{ device: 'renamed' }]);
    });

    it('changes the new VRF after one is deleted and created again with the same name', async () => {
      await applyAll([addVrf, addAddress('169.254.0.2', 32), enslave()]);
      await applyAll([
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
      await applyAll([addVrf, addAddress('169.254.0.2', 32), addAddress('fd69::2', 128), enslave()]);
      const snapshot = await read();
      expect(linkOf(DEVICE, snapshot)?.master).to.equal(VRF);
      expect(hasAddress(VRF, 'fd69::2')(snapshot)).to.equal(true);
    });

    it('reads neighbours alone as with all the rest', async () => {
      await applyAll([addNeighbour]);
      const { neighbours, neighbourProxies } = await read();
      expect(neighbours).to.have.lengthOf.above(0);
      expect(valueOf(await host.network.readNeighbours())).to.deep.equal({ neighbours, neighbourProxies });
    });

    it('calls its listener for changes by other programs, but not for a neighbour that becomes reachable', async () => {
      const changes: Readonly<Record<string, () => void | Promise<void>>> = {
        'an address': () => host.applyByHand(addAddress('203.0.113.9', 24, DEVICE)),
        'a route': () => host.applyByHand(addRoute()),
        'an IPv6 route': () => host.applyByHand(addRoute(default6)),
        'a rule': () => host.applyByHand(addRule()),
        'an IPv6 rule': () => host.applyByHand(addRule({ family: 6 })),
        'a permanent neighbour': () => host.applyByHand(addNeighbour),
        'a next hop object': () => host.applyByHand(putBack(nextHop(5))),
        'a link': () => host.addLink('eth9'),
      };
      // The kernel changes a new IPv6 address once more, by itself.
      const addressesAreFinal = () =>
        eventually('no address is tentative', async () =>
          (await read()).links.every(({ addresses }) => addresses.every(({ flags }) => !flags.includes('tentative'))),
        );
      await addressesAreFinal();
      let calls = 0;
      host.network.onChange(() => (calls += 1));
      // A network that starts a program calls it when the program listens.
      if (host.runningPrograms().length === 0) await host.addLink('eth8');
      await eventually('the listener is called', () => calls > 0);
      await host.notifyOnce();
      for (const [what, change] of Object.entries(changes)) {
        calls = 0;
        await change();
        await host.notifyOnce();
        expect(calls, what).to.be.greaterThan(1);
      }
      await addressesAreFinal();
      await host.notifyOnce();
      calls = 0;
      await host.reachNeighbour(DEVICE, '192.0.2.33');
      await host.notifyOnce();
      expect(calls).to.equal(1);
    });

    it('stops its programs and fails reads once it is closed', async () => {
      host.network.onChange(() => undefined);
      await read();
      await applyAll([addRule({ family: 6 }), addRule()]);
      const [interrupted] = await Promise.all([host.network.read(), host.network.close()]);
      expect((await host.network.read()).read).to.equal(false);
      expect((await apply(addVrf)).done).to.equal(false);
      await eventually(`all programs have ended (${interrupted.read})`, () => host.runningPrograms().length === 0);
    });
  });
}
