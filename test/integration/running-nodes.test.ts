/**
 * Nodes that former versions have programmed, with the objects of their clusters (fixtures/README.md): this version takes them over without an operation, and
 * writes no object anew.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ovnUplinks } from './command.ts';
import { printedPlan } from './printed-plan.ts';

const FOLDER = 'fixtures/running';

/** The captures of a version, as options of commands. */
function inputs(version: string): readonly string[] {
  const folder = join(FOLDER, version);
  const nodes = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const hosts = nodes.flatMap(({ name }) => ['--host', `${name}=${join(folder, name)}`]);
  return ['--cluster', join(folder, 'cluster.yaml'), '--networks', 'all', ...hosts];
}

describe('nodes and objects of a former version', () => {
  for (const version of readdirSync(FOLDER)) {
    describe(version, () => {
      it('need no operation', async () => {
        const { nodes } = await printedPlan(inputs(version));
        const operations = Object.entries(nodes).flatMap(([node, { operations: ofNode }]) =>
          ofNode.map(({ summary }) => `${node}: ${summary}`),
        );
        expect(Object.keys(nodes)).to.have.length.above(1);
        expect(operations).to.deep.equal([]);
      });

      it('need no object to be written', async () => {
        const { stdout, exitCode } = await ovnUplinks(['plan', '--exit-code', ...inputs(version)]);
        expect(stdout).to.include('No object to write.');
        expect(exitCode).to.equal(0);
      });
    });
  }
});
