import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ManifestFiles } from '../../src/adapters/manifests/manifest-files.ts';
import { defaultSettings, type NodeSettings, type NodeSnapshot } from '../../src/domain/index.ts';
import { bringUp } from '../../src/domain/node-model/link-up.ts';
import { describeProblem } from '../../src/ports/input-problem.ts';
import { type BriefNode, completeNode } from '../../src/testing/brief-node.ts';
import type { Case } from '../../src/testing/case.ts';

/** Where the scenario folders are: decision/condition-to-result. */
export const scenariosRoot = import.meta.dirname;

/** Every scenario folder, as `decision/condition-to-result`. */
export function scenarioNames(): readonly string[] {
  return readdirSync(scenariosRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((decision) => readdirSync(join(scenariosRoot, decision.name)).map((name) => `${decision.name}/${name}`))
    .sort();
}

/** The node with the routes that the kernel makes of the addresses of devices that are up: nobody writes them, and no node is without. */
function withKernelRoutes(node: NodeSnapshot): NodeSnapshot {
  const up = node.links.filter((link) => link.up).map(({ name }) => name);
  return { ...node, routes: bringUp(node, new Set(up), node).routes };
}

/**
 * Reads a scenario: `cluster.yaml`; `node.yaml`, one document a node; and, where they are not the defaults, `settings.yaml`.
 *
 * @throws where a file cannot be used: a scenario with bad input proves nothing.
 */
export async function readScenario(name: string): Promise<Case> {
  const folder = join(scenariosRoot, name);
  const files = readdirSync(folder);
  const reading = await new ManifestFiles([join(folder, 'cluster.yaml')]).read();
  if (!reading.read) throw new Error(reading.problems.map(describeProblem).join('\n'));
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const nodes = files.includes('node.yaml')
    ? parseAllDocuments(text('node.yaml')).map((document) => document.toJS() as BriefNode)
    : [];
  const settings: Partial<NodeSettings> = files.includes('settings.yaml')
    ? (parse(text('settings.yaml')) as Partial<NodeSettings>)
    : {};
  return {
    cluster: reading.value.snapshot,
    nodes: nodes.map((brief) => withKernelRoutes(completeNode(brief))),
    settings: { ...defaultSettings, ...settings },
  };
}
