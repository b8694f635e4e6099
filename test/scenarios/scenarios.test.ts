import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { preview } from '../../src/domain/index.ts';
import { checkLaws } from '../../src/testing/index.ts';
import { isBeginning, lawsMidway } from './midway.ts';
import { goldenOf, operationsGolden } from './golden.ts';
import { readScenario, scenarioNames, scenariosRoot, showsOperations } from './scenario-folders.ts';

describe('scenarios', () => {
  for (const name of scenarioNames()) {
    describe(name, () => {
      it('leads to what its status.yaml says', () => {
        const { cluster, nodes, settings } = readScenario(name);
        const expected: unknown = parse(readFileSync(join(scenariosRoot, name, 'status.yaml'), 'utf8'));
        expect(JSON.parse(JSON.stringify(goldenOf(preview(cluster, nodes, settings))))).to.deep.equal(expected);
      });

      if (showsOperations(name)) {
        it('needs the operations that its operations.yaml says', () => {
          const { cluster, nodes, settings } = readScenario(name);
          const expected: unknown = parse(readFileSync(join(scenariosRoot, name, 'operations.yaml'), 'utf8'));
          expect(operationsGolden(preview(cluster, nodes, settings))).to.deep.equal(expected);
        });
      }

      it('obeys every law', () => {
        const subject = readScenario(name);
        if (isBeginning(subject)) checkLaws(subject);
        else for (const law of lawsMidway(subject)) law(subject);
      });

      it('says in its first line why it exists', () => {
        const [first] = readFileSync(join(scenariosRoot, name, 'cluster.yaml'), 'utf8').split('\n');
        expect(first).to.match(/^# \S.{20,}/);
      });

      it('is short enough to be read', () => {
        for (const file of readdirSync(join(scenariosRoot, name))) {
          expect(readFileSync(join(scenariosRoot, name, file), 'utf8').split('\n').length, file).to.be.at.most(80);
        }
      });
    });
  }
});
