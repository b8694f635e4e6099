/**
 * Nodes that former versions have programmed, with the objects of their clusters (fixtures/README.md): this version takes them over without an operation but
 * for rows that are new, and writes no object anew.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ovnUplinks } from './command.ts';
import { printedPlan, type PrintedOperation } from './printed-plan.ts';

const FOLDER = 'fixtures/running';

/** The captures of a version, as options of commands. */
function inputs(version: string): readonly string[] {
  const folder = join(FOLDER, version);
  const nodes = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const hosts = nodes.flatMap(({ name }) => ['--host', `${name}=${join(folder, name)}`]);
  return ['--cluster', join(folder, 'cluster.yaml'), '--networks', 'all', ...hosts];
}

/** Exit status of `plan --exit-code` where something is to be changed. */
const OPERATIONS = 2;

/** The rows that each network gets anew after a version, by their tables: those for addresses that no Service has (docs/design/services.md). */
const added: Readonly<Record<string, { readonly networks: readonly string[]; readonly tables: readonly string[] }>> = {
  '2026-11-27': { networks: ['amber', 'green', 'grey', 'red', 'demo/blue'], tables: ['ACL', 'Logical_Router_Policy'] },
};

/** The tables into which an operation inserts rows; what it does besides, other than that their switches and routers have them. */
function insertionsOf({ network, command, disruption }: PrintedOperation) {
  const [, ...steps] = JSON.parse(command?.at(-1) ?? '[]') as readonly [
    string,
    ...{ readonly op: string; readonly table: string; readonly mutations?: readonly (readonly unknown[])[] }[],
  ];
  const others = steps.filter(
    ({ op, mutations = [] }) =>
      op !== 'insert' && op !== 'wait' && !(op === 'mutate' && mutations.every(([, mutator]) => mutator === 'insert')),
  );
  const tables = steps.filter(({ op }) => op === 'insert').map(({ table }) => table);
  return { network, tables, disruption, ...(others.length > 0 && { others }) };
}

describe('nodes and objects of a former version', () => {
  for (const version of readdirSync(FOLDER)) {
    describe(version, () => {
      it('need no operation but the rows that versions have added since', async () => {
        const { nodes } = await printedPlan(inputs(version));
        expect(Object.keys(nodes)).to.have.length.above(1);
        const operations = Object.values(nodes).map(({ operations: ofNode }) => ofNode.map(insertionsOf));
        const { networks, tables } = added[version] ?? { networks: [], tables: [] };
        const expected = networks.map((network) => ({ network, tables, disruption: 'none' }));
        expect(operations).to.deep.equal(operations.map(() => expected));
      });

      it('need no object to be written', async () => {
        const { stdout, exitCode } = await ovnUplinks(['plan', '--exit-code', ...inputs(version)]);
        expect(stdout).to.include('No object to write.');
        expect(exitCode).to.equal(added[version] === undefined ? 0 : OPERATIONS);
      });
    });
  }
});
