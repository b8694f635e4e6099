import { expect } from 'chai';
import { emptyLedger, type LedgerEntry } from '../../../src/domain/index.ts';
import type { LabNode } from './node.ts';
import { type Example, examples, administratorConfig } from './operation-examples.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';
import { commandOf, isRefused, NodeAndModel } from './node-and-model.ts';

describe('an operation of kind', () => {
  const nodes: LabNode[] = [];
  /** Nodes without leftovers of an earlier example. */
  const cleanNodes: NodeAndModel[] = [];
  after(async () => {
    await Promise.all(nodes.map((node) => node.end()));
  });

  async function newNode(): Promise<NodeAndModel> {
    const node = await (await sharedMachine()).node(`operations-${nodes.length}`);
    nodes.push(node);
    await prepare(node, administratorConfig);
    return NodeAndModel.of(node);
  }

  const all = Object.entries<readonly Example[]>(examples).flatMap(([kind, ofKind]) =>
    ofKind.map((example) => [kind, example] as const),
  );
  for (const [kind, example] of all) {
    it(`${kind}${example.what === undefined ? '' : ` (${example.what})`} has the same effect on a real node as on the model, ${title(example)}`, async () => {
      const { first, commands = [], operation, again, oneWay, remainder } = example;
      const both = cleanNodes.pop() ?? (await newNode());
      const start = await both.look(emptyLedger);
      const cleanUp = both.inverse(...first);
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
        const isRemainder = (line: string) => remainder !== undefined && line.includes(remainder);
        const left = await both.differences(before, isRemainder);
        expect(left.map(isRemainder)).to.deep.equal(remainder === undefined ? [] : [true]);
        expect(withoutDisplaced(both.model.ledger.entries)).to.deep.equal(withoutDisplaced(before.ledger.entries));
      }
      await both.do(...cleanUp);
      expect(await both.differences(start)).to.deep.equal([]);
      cleanNodes.push(both);
    });
  }

  function title({ again, oneWay }: Example): string {
    const twice = again === undefined ? 'may be repeated' : `fails with "${again}" if repeated`;
    return `${twice}${oneWay === true ? '' : ', and is undone by its inverse'}`;
  }

  /** The ledger may keep displaced entities that are restored. */
  function withoutDisplaced(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
    return entries.filter(({ kind }) => kind !== 'displaced');
  }
});
