import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../../src/testing/case.ts';
import { caseOf, readTexts } from './folder-texts.ts';

/** Where the scenario folders are: decision/condition-to-result. */
export const scenariosRoot = import.meta.dirname;

/** Every scenario folder, as `decision/condition-to-result`. */
export function scenarioNames(): readonly string[] {
  return readdirSync(scenariosRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((decision) => readdirSync(join(scenariosRoot, decision.name)).map((name) => `${decision.name}/${name}`))
    .sort();
}

/** Whether a scenario shows in `operations.yaml` what would be done on its nodes: those whose decision is about that. */
export function showsOperations(name: string): boolean {
  return name.startsWith('dataplane/');
}

/** What the files of a scenario say. @throws where a file cannot be used: a scenario with bad input proves nothing. */
export function readScenario(name: string): Case {
  return caseOf(readTexts(join(scenariosRoot, name)));
}
