/** Rewrites every scenario's goldens and deletes files that belong to none. CI fails where this changes anything. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlText } from '../../src/testing/yaml-text.ts';
import { goldensOf, inputFiles, readScenario, scenarioFolder, scenarioNames } from './scenario-folders.ts';

for (const name of scenarioNames()) {
  const folder = scenarioFolder(name);
  const goldens = goldensOf(name, readScenario(name));
  const isKnown = (file: string) => inputFiles.has(file) || file in goldens;
  for (const file of readdirSync(folder)) if (!isKnown(file)) rmSync(join(folder, file), { recursive: true });
  for (const [file, golden] of Object.entries(goldens)) {
    writeFileSync(join(folder, file), yamlText(golden));
  }
}
