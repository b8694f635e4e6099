import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { preview } from '../../src/domain/index.ts';
import type { Case } from '../../src/testing/case.ts';
import { caseOf, readTexts } from './folder-texts.ts';
import { goldenOf, isAllWell, operationsGolden, rowsGolden } from './golden.ts';

/** Where the scenario folders are. */
const scenariosRoot = import.meta.dirname;

/** The files of a scenario that people write; all others are goldens. */
export const inputFiles: ReadonlySet<string> = new Set([
  'cluster.yaml',
  'unreadable.yaml',
  'node.yaml',
  'settings.yaml',
]);

/** Every scenario folder, as `decision/condition-to-result`. */
export function scenarioNames(): readonly string[] {
  return readdirSync(scenariosRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((decision) => readdirSync(join(scenariosRoot, decision.name)).map((name) => `${decision.name}/${name}`))
    .sort();
}

/** The folder of a scenario. */
export function scenarioFolder(name: string): string {
  return join(scenariosRoot, name);
}

/** The input of a scenario. @throws where a file cannot be used: a scenario with bad input proves nothing. */
export function readScenario(name: string): Case {
  return caseOf(readTexts(scenarioFolder(name)));
}

/** The results that a scenario shows, by the names of its files (README.md). */
export function goldensOf(name: string, { cluster, nodes, settings }: Case): Readonly<Record<string, unknown>> {
  const outcome = preview(cluster, nodes, settings);
  const [decision = ''] = name.split('/');
  const isAboutOperations = decision === 'dataplane' || decision === 'zone';
  return {
    ...(!(isAboutOperations && isAllWell(outcome)) && { 'status.yaml': goldenOf(outcome, decision) }),
    ...(isAboutOperations && { 'operations.yaml': operationsGolden(outcome) }),
    ...(decision === 'zone' && { 'rows.yaml': rowsGolden(outcome) }),
  };
}
