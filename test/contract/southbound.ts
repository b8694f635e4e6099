import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import { remoteChassisEntity } from '../../src/domain/entities/ovn/remote-chassis.ts';
import type { Chassis } from '../../src/domain/snapshot/chassis.ts';
import type { Southbound, SouthboundOperation } from '../../src/ports/node/southbound.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';

/** A Southbound database, and the means to change it as another program would. */
export interface SouthboundUnderTest {
  /** Without chassis. */
  readonly southbound: Southbound;
  /** Adds a chassis, with the signature that it says. */
  insert(chassis: Chassis): void;
  /** Adds a port of another node that is not bound, as ovn-northd does for a network; for one of another program without a network. */
  addPort(port: string, network?: string): void;
  /** Makes the database unreachable until `recover`. */
  fail(): void | Promise<void>;
  recover(): void | Promise<void>;
  /** Stops everything except the database under test. */
  end(): void | Promise<void>;
}

const NETWORK = 'cluster_udn_blue';

type Verb = 'add' | 'replace' | 'remove';

/** A chassis of another node. */
function chassisOf(node: string, ...addresses: readonly string[]): Chassis {
  return { name: `chassis-${node}`, hostname: node, addresses, isRemote: true, node };
}

function unmanaged({ node: _, ...chassis }: Chassis): Chassis {
  return chassis;
}

/** Changes of chassis in one operation. */
function change(...changes: readonly (readonly [Verb, Chassis])[]): SouthboundOperation {
  return {
    verb: 'change',
    networks: [clusterNetworkKey('blue')],
    kind: 'remote-chassis',
    set: 'southbound',
    changes: changes.map(([verb, chassis]) => ({
      verb,
      networks: [clusterNetworkKey('blue')],
      entity: remoteChassisEntity(chassis),
    })),
  };
}

/** Changes of the chassis of ports, in one operation. */
function bind(...changes: readonly (readonly [Verb, port: string, chassis: string])[]): SouthboundOperation {
  const networks = [clusterNetworkKey(NETWORK)];
  return {
    verb: 'change',
    networks,
    kind: 'remote-port',
    set: 'southbound',
    changes: changes.map(([verb, port, chassis]) => ({
      verb,
      networks,
      entity: { kind: 'remote-port', port, chassis, network: NETWORK },
    })),
  };
}

const done = { done: true };
const b = chassisOf('worker-b', '172.30.0.2');
const c = chassisOf('worker-c', '172.30.0.3', 'fd30::3');

/** Tests an implementation of Southbound. */
export function describeSouthbound(
  name: string,
  start: () => SouthboundUnderTest | Promise<SouthboundUnderTest>,
): void {
  describe(`Southbound: ${name}`, () => {
    let fixture: SouthboundUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.southbound.close();
      await fixture.end();
    });

    const read = async () => valueOf(await fixture.southbound.read()).chassis;
    const isRead = (expected: readonly Chassis[]) =>
      eventually('the chassis are read', async () => {
        const found = await read();
        return JSON.stringify(found) === JSON.stringify(expected);
      });
    const expectLeftOut = async (operation: SouthboundOperation, ...names: readonly string[]) => {
      const result = await fixture.southbound.apply(operation);
      const leftOut = 'leftOut' in result ? result.leftOut : undefined;
      expect(
        leftOut?.map(({ change: { entity } }) => (entity.kind === 'remote-chassis' ? entity.chassis.name : '')),
      ).to.deep.equal(names);
      expect(leftOut?.every(({ error }) => /^[^\n]+$/.test(error))).to.equal(true);
    };
    const expectRefusal = async (operation: SouthboundOperation) => {
      const result = await fixture.southbound.apply(operation);
      expect(result).to.deep.include({ done: false, isRefused: true });
      expect('error' in result && result.error).to.match(/^[^\n]+$/);
    };

    it('has no chassis at first', async () => {
      expect(await read()).to.deep.equal([]);
    });

    it('adds chassis with all of their tunnels, in one operation, and adds one alone', async () => {
      expect(await fixture.southbound.apply(change(['add', c]))).to.deep.equal(done);
      await isRead([c]);
      expect(await fixture.southbound.apply(change(['add', b], ['remove', c]))).to.deep.equal(done);
      await isRead([b]);
    });

    it('changes where the tunnels of a chassis end', async () => {
      await fixture.southbound.apply(change(['add', b], ['add', c]));
      const moved = { ...b, hostname: 'worker-b.example.org', addresses: ['172.30.0.8', '172.30.0.9'] };
      expect(await fixture.southbound.apply(change(['replace', moved]))).to.deep.equal(done);
      await isRead([moved, c]);
    });

    it('makes a chassis remote again that another program has made one of the own zone', async () => {
      fixture.insert({ ...b, isRemote: false });
      await isRead([{ ...b, isRemote: false }]);
      expect(await fixture.southbound.apply(change(['replace', b]))).to.deep.equal(done);
      await isRead([b]);
    });

    it('deletes chassis, and no others', async () => {
      await fixture.southbound.apply(change(['add', b], ['add', c]));
      expect(await fixture.southbound.apply(change(['remove', b]))).to.deep.equal(done);
      await isRead([c]);
      expect(await fixture.southbound.apply(change(['remove', b]))).to.deep.equal(done);
    });

    it('reads chassis of other programs as theirs, and neither changes nor deletes them', async () => {
      fixture.insert(unmanaged(b));
      await isRead([unmanaged(b)]);
      await expectRefusal(change(['add', b]));
      await expectRefusal(change(['replace', { ...b, addresses: ['172.30.0.9'] }]));
      await fixture.southbound.apply(change(['remove', b]));
      await isRead([unmanaged(b)]);
    });

    it('leaves out chassis that are refused, and makes all other changes', async () => {
      fixture.insert(unmanaged(b));
      await isRead([unmanaged(b)]);
      await expectLeftOut(change(['add', b], ['add', c]), b.name);
      await isRead([unmanaged(b), c]);
      const d = chassisOf('worker-d', '172.30.0.4');
      await expectLeftOut(change(['add', d], ['replace', { ...b, addresses: ['172.30.0.9'] }], ['remove', c]), b.name);
      await isRead([unmanaged(b), d]);
    });

    it('leaves out chassis with an address that another one has, and adds one with it once that is gone', async () => {
      const again = { ...chassisOf('worker-e'), addresses: c.addresses };
      await fixture.southbound.apply(change(['add', c]));
      await expectLeftOut(change(['add', again], ['add', b]), again.name);
      await isRead([b, c]);
      expect(await fixture.southbound.apply(change(['add', again], ['remove', c]))).to.deep.equal(done);
      await isRead([b, again]);
    });

    it('does not change the chassis of another Node that has the same name', async () => {
      await fixture.southbound.apply(change(['add', { ...b, node: 'worker-c' }]));
      await expectRefusal(change(['replace', b]));
      await fixture.southbound.apply(change(['remove', b]));
      await isRead([{ ...b, node: 'worker-c' }]);
    });

    const readPorts = async () => valueOf(await fixture.southbound.read()).remotePorts;

    it('binds ports to chassis of other nodes, again once they are bound elsewhere, and releases them', async () => {
      for (const port of ['blue-b', 'blue-c']) fixture.addPort(port, NETWORK);
      expect(await readPorts()).to.deep.equal([]);
      await fixture.southbound.apply(change(['add', b], ['add', c]));
      expect(await fixture.southbound.apply(bind(['add', 'blue-b', b.name], ['add', 'blue-c', b.name]))).to.deep.equal(
        done,
      );
      const portOn = (port: string, chassis: string) => ({ port, chassis, network: NETWORK });
      expect(await readPorts()).to.deep.equal([portOn('blue-b', b.name), portOn('blue-c', b.name)]);
      expect(await fixture.southbound.apply(bind(['replace', 'blue-c', c.name]))).to.deep.equal(done);
      expect(await readPorts()).to.deep.equal([portOn('blue-b', b.name), portOn('blue-c', c.name)]);
      expect(await fixture.southbound.apply(bind(['remove', 'blue-b', b.name]))).to.deep.equal(done);
      expect(await readPorts()).to.deep.equal([portOn('blue-c', c.name)]);
    });

    it('changes nothing if an operation on ports is repeated', async () => {
      fixture.addPort('blue-b', NETWORK);
      await fixture.southbound.apply(change(['add', b]));
      for (const operation of [bind(['add', 'blue-b', b.name]), bind(['remove', 'blue-b', b.name])]) {
        expect(await fixture.southbound.apply(operation)).to.deep.equal(done);
        const before = await readPorts();
        expect(await fixture.southbound.apply(operation)).to.deep.equal(done);
        expect(await readPorts()).to.deep.equal(before);
      }
    });

    it('has no binding any more to a chassis that is deleted', async () => {
      fixture.addPort('blue-b', NETWORK);
      await fixture.southbound.apply(change(['add', b]));
      await fixture.southbound.apply(bind(['add', 'blue-b', b.name]));
      await fixture.southbound.apply(change(['remove', b]));
      expect(await readPorts()).to.deep.equal([]);
    });

    it('leaves out ports that are not there, of other programs, or whose chassis is not there', async () => {
      fixture.addPort('blue-b', NETWORK);
      fixture.addPort('other');
      await fixture.southbound.apply(change(['add', b]));
      const result = await fixture.southbound.apply(
        bind(['add', 'blue-b', b.name], ['add', 'blue-c', b.name], ['add', 'other', b.name], ['add', 'blue-b', 'gone']),
      );
      const leftOut = 'leftOut' in result ? result.leftOut : undefined;
      expect(
        leftOut?.map(({ change: { entity } }) => (entity.kind === 'remote-port' ? [entity.port, entity.chassis] : [])),
      ).to.deep.equal([
        ['blue-c', b.name],
        ['other', b.name],
        ['blue-b', 'gone'],
      ]);
      expect((await readPorts()).map(({ port }) => port)).to.deep.equal(['blue-b']);
    });

    it('reports changes of other programs', async () => {
      await read();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      fixture.southbound.onChange(() => resolve(undefined));
      fixture.insert(b);
      await promise;
      await isRead([b]);
    });

    it('reports a problem while it cannot be reached, and recovers afterwards', async () => {
      await fixture.southbound.apply(change(['add', b]));
      await fixture.fail();
      await eventually('it is unreachable', async () => !(await fixture.southbound.read()).read);
      expect(problemLines(await fixture.southbound.read())).to.have.lengthOf(1);
      expect(await fixture.southbound.apply(change(['add', c]))).to.deep.include({ done: false, isUnavailable: true });
      await fixture.recover();
      await eventually('it is reachable', async () => (await fixture.southbound.read()).read);
      expect(await fixture.southbound.apply(change(['add', c]))).to.deep.equal(done);
      await isRead([b, c]);
    });
  });
}
