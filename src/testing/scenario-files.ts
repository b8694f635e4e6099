/**
 * A case or a story as the files of a scenario folder, which a person reads and which keep it as a test.
 */
import { COLLECTION_STYLE, type Node, visit, VISIT_SKIP } from 'js-yaml';
import { defaultSettings, type NodeSettings } from '../domain/snapshot/settings.ts';
import { briefClusterOf } from './brief-cluster.ts';
import { briefOf } from './brief-of.ts';
import type { Case } from './case.ts';
import type { Step, Story } from './story.ts';
import { yamlText } from './yaml-text.ts';

/** The texts of a folder, by the names of their files. */
export type Files = Readonly<Record<string, string>>;

/** Shorter values are on one line, so that there is one line an object. */
const LINE_LENGTH = 110;

/** The length of a node on one line, without quotes. */
function lengthOf(node: Node): number {
  switch (node.kind) {
    case 'scalar':
      return node.value.length;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + lengthOf(item) + 2, 2);
    case 'mapping':
      return node.items.reduce((sum, { key, value }) => sum + lengthOf(key) + lengthOf(value) + 4, 2);
    case 'alias':
      return node.anchor.length;
  }
}

/** YAML in which a list or a map that fits on a line is on one. */
function yaml(value: object): string {
  return yamlText(value, (documents) => {
    visit(documents, (node, { depth }) => {
      const isCollection = node.kind === 'sequence' || node.kind === 'mapping';
      if (!isCollection || depth === 0 || lengthOf(node) > LINE_LENGTH) return undefined;
      node.style = COLLECTION_STYLE.FLOW;
      return VISIT_SKIP;
    });
  });
}

function documents(values: readonly object[]): string {
  return values.map(yaml).join('---\n');
}

function comment(text: string): string {
  return text === '' ? '' : `# ${text}\n`;
}

/** A map; nothing where it has no fields. */
function map(fields: object): string {
  return Object.keys(fields).length === 0 ? '' : yaml(fields);
}

/** The settings that are not the defaults. */
export function unusualSettings(settings: NodeSettings): Partial<NodeSettings> {
  const usual = new Map<string, unknown>(Object.entries(defaultSettings));
  const unusual = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual.get(name)),
  );
  return Object.fromEntries(unusual);
}

function settingsFile(settings: NodeSettings): Files {
  const unusual = unusualSettings(settings);
  return Object.keys(unusual).length === 0 ? {} : { 'settings.yaml': yaml(unusual) };
}

/**
 * The files of a case: `cluster.yaml`, `unreadable.yaml` if there are such objects, `node.yaml` with one document a node, and `settings.yaml` where they
 * are not the defaults.
 *
 * @param why what the case shows: the first line of the first file.
 */
export function scenarioFiles({ cluster, nodes, settings }: Case, why: string): Files {
  return {
    'cluster.yaml': comment(why) + map(briefClusterOf(cluster)),
    ...(cluster.unreadable && { 'unreadable.yaml': yaml(cluster.unreadable) }),
    ...(nodes.length > 0 && { 'node.yaml': documents(nodes.map(briefOf)) }),
    ...settingsFile(settings),
  };
}

/** Changes by others before the step is observed, and every object that the cluster has from then on. */
function stepFile({ cluster, ...disturbance }: Step): string {
  return map({ ...disturbance, ...briefClusterOf(cluster) });
}

/**
 * The files of a story: `node.yaml`, a `step-N.yaml` for each step, and `settings.yaml` where they are not the defaults.
 *
 * @param why what the story shows: the first line of the first file.
 */
export function storyFiles({ node, steps, settings }: Story, why: string): Files {
  return {
    'node.yaml': comment(why) + yaml(briefOf(node)),
    ...settingsFile(settings),
    ...Object.fromEntries(steps.map((step, index) => [`step-${index + 1}.yaml`, stepFile(step)])),
  };
}

/** The files one after another, each below its name. */
export function printedFiles(files: Files): string {
  return Object.entries(files)
    .map(([name, text]) => `=== ${name}\n${text.trimEnd()}`)
    .join('\n');
}
