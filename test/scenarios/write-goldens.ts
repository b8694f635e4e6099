/** Rewrites every scenario's status.yaml and deletes files that belong to none. CI fails where this changes anything. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { preview } from '../../src/domain/index.ts';
import { goldenOf } from './golden.ts';
import { readScenario, scenarioNames, scenariosRoot } from './scenario-folders.ts';

const scenarioFiles: ReadonlySet<string> = new Set(['cluster.yaml', 'node.yaml', 'settings.yaml', 'status.yaml']);

for (const name of scenarioNames()) {
  const folder = join(scenariosRoot, name);
  for (const file of readdirSync(folder)) if (!scenarioFiles.has(file)) rmSync(join(folder, file), { recursive: true });
  const { cluster, nodes, settings } = await readScenario(name);
  const golden = goldenOf(preview(cluster, nodes, settings));
  writeFileSync(join(folder, 'status.yaml'), stringify(golden, { lineWidth: 0, aliasDuplicateObjects: false }));
}
