import { expect } from 'chai';
import { load } from 'js-yaml';
import { checkLaws, engine } from '../../src/testing/index.ts';
import { readTexts } from './folder-texts.ts';
import { goldensOf, inputFiles, readScenario, scenarioFolder, scenarioNames } from './scenario-folders.ts';

/** The goldens in a scenario's folder, by the names of their files. */
function goldensIn(name: string): Readonly<Record<string, unknown>> {
  const goldens = Object.entries(readTexts(scenarioFolder(name))).filter(([file]) => !inputFiles.has(file));
  return Object.fromEntries(goldens.map(([file, text]) => [file, load(text)]));
}

describe('scenarios', () => {
  for (const name of scenarioNames()) {
    describe(name, () => {
      it('leads to its goldens', () => {
        const goldens = goldensOf(name, readScenario(name));
        expect(JSON.parse(JSON.stringify(goldens))).to.deep.equal(goldensIn(name));
      });

      it('obeys every law', () => {
        checkLaws(engine, readScenario(name));
      });
    });
  }
});
