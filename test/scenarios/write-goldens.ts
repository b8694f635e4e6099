/** Rewrites every scenario's goldens and deletes files that belong to none. CI fails where this changes anything. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { preview } from '../../src/domain/index.ts';
import { goldenOf, operationsGolden } from './golden.ts';
import { readScenario, scenarioNames, scenariosRoot, showsOperations } from './scenario-folders.ts';

const inputs = ['cluster.yaml', 'node.yaml', 'settings.yaml'];

for (const name of scenarioNames()) {
  const folder = join(scenariosRoot, name);
  const { cluster, nodes, settings } = readScenario(name);
  const outcome = preview(cluster, nodes, settings);
  const goldens: Readonly<Record<string, unknown>> = {
    'status.yaml': goldenOf(outcome),
    ...(showsOperations(name) && { 'operations.yaml': operationsGolden(outcome) }),
  };
  const known = new Set([...inputs, ...Object.keys(goldens)]);
  for (const file of readdirSync(folder)) if (!known.has(file)) rmSync(join(folder, file), { recursive: true });
  for (const [file, golden] of Object.entries(goldens)) {
    writeFileSync(join(folder, file), stringify(golden, { lineWidth: 0, aliasDuplicateObjects: false }));
  }
}
