import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { SwitchDatabase, SwitchOperation } from '../../src/ports/node/switch-database.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';

/** External_ids by key; undefined removes one. */
export type ExternalIdsChange = Readonly<Record<string, string | undefined>>;

/** A switch database, and the means to change it as another program would. */
export interface SwitchDatabaseUnderTest {
  /** Of a switch without bridges and external_ids. */
  readonly database: SwitchDatabase;
  setExternalIds(change: ExternalIdsChange): void | Promise<void>;
  /** Adds a port, and its bridge if there is none. */
  addPort(bridge: string, port: string): void | Promise<void>;
  /** Sets external_ids after the next operation has read them, and before it writes them. */
  changeBeforeNextWrite(change: ExternalIdsChange): void;
  /** Makes the database unreachable until `recover`. */
  fail(): void | Promise<void>;
  recover(): void | Promise<void>;
  /** Stops everything except the database under test. */
  end(): void | Promise<void>;
}

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';

const blue = { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' } as const;
const addBlue: SwitchOperation = { verb: 'add', networks: [clusterNetworkKey('blue')], entity: blue };
const removeBlue: SwitchOperation = { ...addBlue, verb: 'remove' };
const port = {
  kind: 'management-port',
  device: 'ovn-k8s-mp1',
  bridge: 'br-int',
  type: 'internal',
  logicalPort: 'k8s-cluster_udn_blue_a',
  macAddress: '0a:58:0a:14:00:02',
  mtu: 1300,
  network: 'cluster_udn_blue',
} as const;
const networks = [clusterNetworkKey('blue')];
const addPort: SwitchOperation = { verb: 'add', networks, entity: port };
const removePort: SwitchOperation = { ...addPort, verb: 'remove' };
const entry = 'cluster_udn_blue:br-blue';
const done = { done: true };

/** Tests an implementation of SwitchDatabase. */
export function describeSwitchDatabase(
  name: string,
  start: () => SwitchDatabaseUnderTest | Promise<SwitchDatabaseUnderTest>,
): void {
  describe(`SwitchDatabase: ${name}`, () => {
    let fixture: SwitchDatabaseUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.database.close();
      await fixture.end();
    });

    const snapshot = async () => valueOf(await fixture.database.read());
    const ids = async () => (await snapshot()).switchExternalIds;
    const becomes = (expected: Readonly<Record<string, string>>) =>
      eventually(`external_ids are ${JSON.stringify(expected)}`, async () => {
        const found = await ids();
        const keys = Object.keys(expected);
        return Object.keys(found).length === keys.length && keys.every((key) => found[key] === expected[key]);
      });
    /** Sets external_ids, and waits until they are read. */
    const prepareIds = async (change: Readonly<Record<string, string>>) => {
      await fixture.setExternalIds(change);
      await becomes(change);
    };
    const apply = (operation: SwitchOperation) => fixture.database.apply(operation);

    it('reads an empty switch', async () => {
      expect(await snapshot()).to.deep.equal({ switchExternalIds: {}, bridges: [] });
    });

    it('reads changes by other programs, and calls its listener', async () => {
      await snapshot();
      let calls = 0;
      fixture.database.onChange(() => (calls += 1));
      await fixture.setExternalIds({ hostname: 'a', 'system-id': 'x' });
      await becomes({ hostname: 'a', 'system-id': 'x' });
      await eventually('the listener is called', () => calls > 0);
      const before = calls;
      await fixture.addPort('br-blue', 'eth1');
      await eventually('the port is read', async () => {
        const { bridges } = await snapshot();
        return bridges[0]?.ports.map((port) => port.name).join() === 'br-blue,eth1';
      });
      await eventually('the listener is called again', () => calls > before);
      const [bridge] = (await snapshot()).bridges;
      expect(bridge?.name).to.equal('br-blue');
      expect(bridge?.ports[1]?.interfaces.map((member) => [member.name, member.type])).to.deep.equal([['eth1', '']]);
      await fixture.setExternalIds({ 'system-id': undefined });
      await becomes({ hostname: 'a' });
    });

    it('adds an entry, and reads it', async () => {
      await prepareIds({ hostname: 'a', [MAPPINGS]: 'physnet:br-ex' });
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ hostname: 'a', [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry });
    });

    it('removes an entry, and no longer reads it', async () => {
      await prepareIds({ [MAPPINGS]: `${entry},physnet:br-ex`, [OWN]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: 'physnet:br-ex' });
    });

    it('adds an entry to the list of the chassis, if there is one, and removes it', async () => {
      const before = { 'system-id': 'a', [MAPPINGS]: 'physnet:br-ex', [`${MAPPINGS}-a`]: 'other:br-o' };
      await prepareIds(before);
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ ...before, [`${MAPPINGS}-a`]: `other:br-o,${entry}`, [`${OWN}-a`]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal(before);
    });

    it('removes the keys that it added', async () => {
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: entry, [OWN]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({});
    });

    it('changes nothing and does not call its listener if an operation is repeated', async () => {
      for (const operation of [addBlue, removeBlue]) {
        expect(await apply(operation)).to.deep.equal(done);
        const after = await ids();
        let calls = 0;
        fixture.database.onChange(() => (calls += 1));
        expect(await apply(operation)).to.deep.equal(done);
        expect([await ids(), calls]).to.deep.equal([after, 0]);
      }
    });

    const foreignTexts = [
      'physnet:br-ex',
      'physnet:br-ex,physnet:br-ex',
      ' physnet:br-ex,a : b',
      'physnet:br-ex,,c:d',
      ',',
      'physnet',
      'a:b:c',
      `x${entry}`,
      'ü:😀,"q\\uote":\\n',
    ];
    it('keeps foreign text as it is, and in its place', async () => {
      for (const text of foreignTexts) {
        await prepareIds({ [MAPPINGS]: text, other: text });
        expect(await apply(addBlue)).to.deep.equal(done);
        const added = await ids();
        expect([`${text},${entry}`, `${entry},${text}`]).to.include(added[MAPPINGS]);
        expect(added).to.include({ other: text, [OWN]: entry });
        expect(await apply(removeBlue)).to.deep.equal(done);
        expect(await ids()).to.deep.equal({ [MAPPINGS]: text, other: text });
      }
    });

    it('does not remove a foreign entry', async () => {
      await prepareIds({ [MAPPINGS]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: entry });
    });

    type Race = readonly [
      what: string,
      operation: SwitchOperation,
      before: Readonly<Record<string, string>>,
      change: ExternalIdsChange,
      after: Readonly<Record<string, string>>,
    ];
    const races: readonly Race[] = [
      [
        'adds an entry',
        addBlue,
        { [MAPPINGS]: 'physnet:br-ex' },
        { [MAPPINGS]: 'physnet:br-ex,a:b' },
        { [MAPPINGS]: `physnet:br-ex,a:b,${entry}`, [OWN]: entry },
      ],
      ['adds the first entry', addBlue, {}, { [MAPPINGS]: 'a:b' }, { [MAPPINGS]: `a:b,${entry}`, [OWN]: entry }],
      [
        'removes all entries',
        addBlue,
        { [MAPPINGS]: 'physnet:br-ex' },
        { [MAPPINGS]: undefined },
        { [MAPPINGS]: entry, [OWN]: entry },
      ],
      ['sets another key', addBlue, {}, { hostname: 'a' }, { hostname: 'a', [MAPPINGS]: entry, [OWN]: entry }],
      [
        'adds the same entry, which is then not managed by ovn-uplinks',
        addBlue,
        {},
        { [MAPPINGS]: entry },
        { [MAPPINGS]: entry },
      ],
      [
        'adds an entry while the managed one is to be removed',
        removeBlue,
        { [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry },
        { [MAPPINGS]: `physnet:br-ex,${entry},a:b` },
        { [MAPPINGS]: 'physnet:br-ex,a:b' },
      ],
      [
        'removes the managed entry itself',
        removeBlue,
        { [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry },
        { [MAPPINGS]: 'physnet:br-ex', [OWN]: undefined },
        { [MAPPINGS]: 'physnet:br-ex' },
      ],
    ];
    for (const [what, operation, before, change, after] of races) {
      it(`keeps all entries if, before it writes, another program ${what}`, async () => {
        await prepareIds(before);
        fixture.changeBeforeNextWrite(change);
        expect(await apply(operation)).to.deep.equal(done);
        expect(await ids()).to.deep.equal(after);
      });
    }

    const foundPort = async () =>
      (await snapshot()).bridges.flatMap(({ ports }) => ports).find(({ name }) => name === port.device);
    /** Adds the integration bridge with another port, and waits until it is read. */
    const prepareBridge = async (other = 'eth1') => {
      await fixture.addPort('br-int', other);
      await eventually('the bridge is read', async () =>
        (await snapshot()).bridges.some(({ ports }) => ports.some(({ name }) => name === other)),
      );
    };

    it('adds a management port, with its device, and removes it', async () => {
      await prepareBridge();
      expect(await apply(addPort)).to.deep.equal(done);
      const found = await foundPort();
      expect(found?.interfaces[0]).to.include({ name: 'ovn-k8s-mp1', type: 'internal' });
      expect(found?.interfaces[0]).to.include({ macAddress: port.macAddress, requestedMtu: 1300 });
      expect(found?.interfaces[0]?.externalIds).to.include({
        'iface-id': 'k8s-cluster_udn_blue_a',
        'ovn-uplinks-management-port': 'cluster_udn_blue',
      });
      expect(await apply(removePort)).to.deep.equal(done);
      expect(await foundPort()).to.equal(undefined);
    });

    it('changes a management port, and nothing that another program has added to it', async () => {
      await prepareBridge();
      expect(await apply(addPort)).to.deep.equal(done);
      const changed: SwitchOperation = {
        verb: 'replace',
        networks,
        entity: { ...port, mtu: 1200, logicalPort: 'other' },
      };
      expect(await apply(changed)).to.deep.equal(done);
      const found = await foundPort();
      expect(found?.interfaces[0]).to.include({ requestedMtu: 1200, macAddress: port.macAddress });
      expect(found?.interfaces[0]?.externalIds).to.include({
        'iface-id': 'other',
        'ovn-uplinks-management-port': 'cluster_udn_blue',
      });
    });

    it('changes nothing if an operation on a management port is repeated', async () => {
      await prepareBridge();
      for (const operation of [addPort, removePort]) {
        expect(await apply(operation)).to.deep.equal(done);
        const after = await foundPort();
        expect(await apply(operation)).to.deep.equal(done);
        expect(await foundPort()).to.deep.equal(after);
      }
    });

    it('neither changes nor removes a port of another program', async () => {
      await prepareBridge(port.device);
      const before = await foundPort();
      for (const verb of ['add', 'replace', 'remove'] as const) {
        expect(await apply({ verb, networks, entity: port }), verb).to.include({ done: false, isRefused: true });
      }
      expect(await foundPort()).to.deep.equal(before);
    });

    it('does not add a management port without its bridge', async () => {
      expect(await apply(addPort)).to.include({ done: false, isRefused: true });
      expect(await snapshot()).to.deep.equal({ switchExternalIds: {}, bridges: [] });
    });

    it('applies many operations at once', async () => {
      const entries = Array.from({ length: 20 }, (_, index) => `net${index}:br${index}`);
      const operations = entries.map((text): SwitchOperation => {
        const [networkName = '', bridge = ''] = text.split(':');
        return {
          verb: 'add',
          networks: [clusterNetworkKey(networkName)],
          entity: { kind: 'bridge-mapping', networkName, bridge },
        };
      });
      const outcomes = await Promise.all(operations.map(apply));
      expect(outcomes).to.deep.equal(operations.map(() => done));
      const after = await ids();
      expect(after[MAPPINGS]?.split(',')).to.have.members(entries);
      expect(after[OWN]?.split(',')).to.have.members(entries);
    });

    it('reports a problem while it cannot be reached, and recovers afterwards', async () => {
      await prepareIds({ hostname: 'a' });
      let calls = 0;
      fixture.database.onChange(() => (calls += 1));
      await fixture.fail();
      await eventually('the listener is called', () => calls > 0);
      await eventually('reads fail', async () => problemLines(await fixture.database.read()).length > 0);
      const outcome = await apply(addBlue);
      expect(outcome.done).to.equal(false);
      expect('error' in outcome && outcome.error)
        .to.match(/^\S.*$/)
        .and.not.contain('\n');
      const before = calls;
      await fixture.recover();
      await eventually('the listener is called again', () => calls > before);
      await eventually('it can be read', async () => (await fixture.database.read()).read);
      await becomes({ hostname: 'a' });
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ hostname: 'a', [MAPPINGS]: entry, [OWN]: entry });
    });

    it('does nothing once it is closed', async () => {
      await snapshot();
      let calls = 0;
      fixture.database.onChange(() => (calls += 1));
      await fixture.database.close();
      expect((await fixture.database.read()).read).to.equal(false);
      expect((await apply(addBlue)).done).to.equal(false);
      await fixture.setExternalIds({ hostname: 'a' });
      await fixture.database.close();
      expect(calls).to.equal(0);
    });
  });
}
