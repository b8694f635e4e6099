import { expect } from 'chai';
import { emptyLedger, type LedgerEntry } from '../../../src/domain/index.ts';
import type { LabNode } from './node.ts';
import { type Example, examples, administratorConfig } from './operation-examples.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';
import { commandOf, isRefused, NodeAndModel } from './node-and-model.ts';

describe('an operation of kind', () => {
  const nodes: LabNode[] = [];
  /** Nodes on which nothing is left of an earlier example. */
  const tidy: NodeAndModel[] = [];
  after(async () => {
    await Promise.all(nodes.map((node) => node.end()));
  });

  async function newTwin(): Promise<NodeAndModel> {
    const node = await (await sharedMachine()).node(`operations-${nodes.length}`);
    nodes.push(node);
    await prepare(node, administratorConfig);
    return NodeAndModel.of(node);
  }

  const all = Object.entries<readonly Example[]>(examples).flatMap(([kind, ofKind]) =>
    ofKind.map((example) => [kind, example] as const),
  );
  for (const [kind, example] of all) {
    it(`${kind}${example.of === undefined ? '' : ` (${example.of})`} has the same effect on a real node as on the model, ${title(example)}`, async () => {
      const { first, commands = [], operation, again, oneWay, remainder } = example;
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
        const left = await both.differences(before);
        expect(left.map((line) => remainder !== undefined && line.includes(remainder))).to.deep.equal(
          remainder === undefined ? [] : [true],
        );
        expect(withoutPlaces(both.model.ledger.entries)).to.deep.equal(withoutPlaces(before.ledger.entries));
      }
      await both.do(...tidyUp);
      expect(await both.differences(start)).to.deep.equal([]);
      tidy.push(both);
    });
  }

  function title({ again, oneWay }: Example): string {
    const twice = again === undefined ? 'may be done twice' : `is told "${again}" the second time`;
    return `${twice}${oneWay === true ? '' : ', and is taken back by its inverse'}`;
  }

  /** That something is in its place again, the ledger may remember. */
  function withoutPlaces(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
    return entries.filter(({ kind }) => kind !== 'displaced');
  }
});
