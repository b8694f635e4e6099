import { expect } from 'chai';
import type { SwitchDatabase, SwitchOperation } from '../../src/ports/switch-database.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';

/** External_ids by their keys; one that is undefined is removed. */
export type ExternalIdsChange = Readonly<Record<string, string | undefined>>;

/** A switch database, and what else happens in its world. */
export interface SwitchStage {
  /** Of a switch without bridges and external_ids. */
  readonly database: SwitchDatabase;
  /** Another writer sets external_ids. */
  setExternalIds(change: ExternalIdsChange): void | Promise<void>;
  /** Another writer adds a port, and its bridge where there is none. */
  addPort(bridge: string, port: string): void | Promise<void>;
  /** Another writer sets external_ids between the look and the change of the next operation. */
  overtakeNext(change: ExternalIdsChange): void;
  /** Nobody can reach the database any more. */
  fail(): void | Promise<void>;
  /** It can be reached again. */
  heal(): void | Promise<void>;
  /** Ends everything but the database under test. */
  end(): void | Promise<void>;
}

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';

const blue = { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' } as const;
const addBlue: SwitchOperation = { verb: 'add', networks: ['blue'], entity: blue };
const removeBlue: SwitchOperation = { ...addBlue, verb: 'remove' };
const entry = 'cluster_udn_blue:br-blue';
const done = { done: true };

/** What every switch database does, described for one of them. */
export function describeSwitchDatabase(name: string, newStage: () => SwitchStage | Promise<SwitchStage>): void {
  describe(`the switch database ${name}`, () => {
    let stage: SwitchStage;
    beforeEach(async () => {
      stage = await newStage();
    });
    afterEach(async () => {
      await stage.database.close();
      await stage.end();
    });

    const snapshot = async () => valueOf(await stage.database.read());
    const ids = async () => (await snapshot()).switchExternalIds;
    const becomes = (expected: Readonly<Record<string, string>>) =>
      eventually(`external_ids are ${JSON.stringify(expected)}`, async () => {
        const found = await ids();
        const keys = Object.keys(expected);
        return Object.keys(found).length === keys.length && keys.every((key) => found[key] === expected[key]);
      });
    /** Has another writer set external_ids, and waits until that is read. */
    const given = async (change: Readonly<Record<string, string>>) => {
      await stage.setExternalIds(change);
      await becomes(change);
    };
    const apply = (operation: SwitchOperation) => stage.database.apply(operation);

    it('reads an empty switch', async () => {
      expect(await snapshot()).to.deep.equal({ switchExternalIds: {}, bridges: [] });
    });

    it('reads changes of others, and calls its listener', async () => {
      await snapshot();
      let calls = 0;
      stage.database.onChange(() => (calls += 1));
      await stage.setExternalIds({ hostname: 'a', 'system-id': 'x' });
      await becomes({ hostname: 'a', 'system-id': 'x' });
      await eventually('the listener is called', () => calls > 0);
      const before = calls;
      await stage.addPort('br-blue', 'eth1');
      await eventually('the port is there', async () => {
        const { bridges } = await snapshot();
        return bridges[0]?.ports.map((port) => port.name).join() === 'br-blue,eth1';
      });
      await eventually('the listener is called again', () => calls > before);
      const [bridge] = (await snapshot()).bridges;
      expect(bridge?.name).to.equal('br-blue');
      expect(bridge?.ports[1]?.interfaces.map((member) => [member.name, member.type])).to.deep.equal([['eth1', '']]);
      await stage.setExternalIds({ 'system-id': undefined });
      await becomes({ hostname: 'a' });
    });

    it('adds an entry, which the next read shows', async () => {
      await given({ hostname: 'a', [MAPPINGS]: 'physnet:br-ex' });
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ hostname: 'a', [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry });
    });

    it('removes an entry, which the next read shows', async () => {
      await given({ [MAPPINGS]: `${entry},physnet:br-ex`, [OWN]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: 'physnet:br-ex' });
    });

    it('removes the keys that it added', async () => {
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: entry, [OWN]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({});
    });

    it('does nothing a second time, and does not call its listener', async () => {
      for (const operation of [addBlue, removeBlue]) {
        expect(await apply(operation)).to.deep.equal(done);
        const after = await ids();
        let calls = 0;
        stage.database.onChange(() => (calls += 1));
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
    it('keeps the text of others byte for byte, and in place', async () => {
      for (const text of foreignTexts) {
        await given({ [MAPPINGS]: text, other: text });
        expect(await apply(addBlue)).to.deep.equal(done);
        const added = await ids();
        expect([`${text},${entry}`, `${entry},${text}`]).to.include(added[MAPPINGS]);
        expect(added).to.include({ other: text, [OWN]: entry });
        expect(await apply(removeBlue)).to.deep.equal(done);
        expect(await ids()).to.deep.equal({ [MAPPINGS]: text, other: text });
      }
    });

    it('does not remove an entry of others', async () => {
      await given({ [MAPPINGS]: entry });
      expect(await apply(removeBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ [MAPPINGS]: entry });
    });

    type Race = readonly [
      what: string,
      operation: SwitchOperation,
      before: Readonly<Record<string, string>>,
      others: ExternalIdsChange,
      after: Readonly<Record<string, string>>,
    ];
    const races: readonly Race[] = [
      [
        'adds an entry of its own',
        addBlue,
        { [MAPPINGS]: 'physnet:br-ex' },
        { [MAPPINGS]: 'physnet:br-ex,a:b' },
        { [MAPPINGS]: `physnet:br-ex,a:b,${entry}`, [OWN]: entry },
      ],
      [
        'writes the first entry of all',
        addBlue,
        {},
        { [MAPPINGS]: 'a:b' },
        { [MAPPINGS]: `a:b,${entry}`, [OWN]: entry },
      ],
      [
        'removes all others',
        addBlue,
        { [MAPPINGS]: 'physnet:br-ex' },
        { [MAPPINGS]: undefined },
        { [MAPPINGS]: entry, [OWN]: entry },
      ],
      ['writes something else', addBlue, {}, { hostname: 'a' }, { hostname: 'a', [MAPPINGS]: entry, [OWN]: entry }],
      ['adds the same entry, which remains theirs', addBlue, {}, { [MAPPINGS]: entry }, { [MAPPINGS]: entry }],
      [
        'adds an entry while ours is removed',
        removeBlue,
        { [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry },
        { [MAPPINGS]: `physnet:br-ex,${entry},a:b` },
        { [MAPPINGS]: 'physnet:br-ex,a:b' },
      ],
      [
        'removed ours already',
        removeBlue,
        { [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry },
        { [MAPPINGS]: 'physnet:br-ex', [OWN]: undefined },
        { [MAPPINGS]: 'physnet:br-ex' },
      ],
    ];
    for (const [what, operation, before, others, after] of races) {
      it(`loses no entry if it loses a race against a writer that ${what}`, async () => {
        await given(before);
        stage.overtakeNext(others);
        expect(await apply(operation)).to.deep.equal(done);
        expect(await ids()).to.deep.equal(after);
      });
    }

    it('applies many operations at once', async () => {
      const entries = Array.from({ length: 20 }, (_, index) => `net${index}:br${index}`);
      const operations = entries.map((text): SwitchOperation => {
        const [networkName = '', bridge = ''] = text.split(':');
        return { verb: 'add', networks: [networkName], entity: { kind: 'bridge-mapping', networkName, bridge } };
      });
      const outcomes = await Promise.all(operations.map(apply));
      expect(outcomes).to.deep.equal(operations.map(() => done));
      const after = await ids();
      expect(after[MAPPINGS]?.split(',')).to.have.members(entries);
      expect(after[OWN]?.split(',')).to.have.members(entries);
    });

    it('reports a problem while it cannot be reached, and recovers afterwards', async () => {
      await given({ hostname: 'a' });
      let calls = 0;
      stage.database.onChange(() => (calls += 1));
      await stage.fail();
      await eventually('the listener is called', () => calls > 0);
      await eventually('there is a problem', async () => problemLines(await stage.database.read()).length > 0);
      const outcome = await apply(addBlue);
      expect(outcome.done).to.equal(false);
      expect('error' in outcome && outcome.error)
        .to.match(/^\S.*$/)
        .and.not.contain('\n');
      const before = calls;
      await stage.heal();
      await eventually('the listener is called again', () => calls > before);
      await eventually('it is read', async () => (await stage.database.read()).read);
      await becomes({ hostname: 'a' });
      expect(await apply(addBlue)).to.deep.equal(done);
      expect(await ids()).to.deep.equal({ hostname: 'a', [MAPPINGS]: entry, [OWN]: entry });
    });

    it('does nothing once it is closed', async () => {
      await snapshot();
      let calls = 0;
      stage.database.onChange(() => (calls += 1));
      await stage.database.close();
      expect((await stage.database.read()).read).to.equal(false);
      expect((await apply(addBlue)).done).to.equal(false);
      await stage.setExternalIds({ hostname: 'a' });
      await stage.database.close();
      expect(calls).to.equal(0);
    });
  });
}
