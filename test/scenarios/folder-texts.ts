/**
 * What the files of a folder say: the way back from `scenarioFiles` and `storyFiles`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, parse, parseAllDocuments } from 'yaml';
import { contentsOfText } from '../../src/adapters/manifests/manifest-text.ts';
import { snapshotOf } from '../../src/adapters/manifests/snapshot-of-objects.ts';
import { type ClusterSnapshot, defaultSettings, type NodeSettings, type NodeSnapshot } from '../../src/domain/index.ts';
import { describeProblem, inFile } from '../../src/ports/input-problem.ts';
import { type BriefNode, completeNode } from '../../src/testing/brief-node.ts';
import type { Case } from '../../src/testing/case.ts';
import type { Files } from '../../src/testing/scenario-files.ts';
import type { Step, Story } from '../../src/testing/story.ts';

/** The texts of a folder, by the names of their files. */
export function readTexts(folder: string): Files {
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function clusterOf(file: string, text: string): ClusterSnapshot {
  const { objects, problems } = contentsOfText(file, text);
  const unusable = objects.flatMap(({ label, findings }) =>
    findings
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message }) => ({ origin: inFile(file), message: `${label}: ${path}: ${message}` })),
  );
  const [problem] = [...problems, ...unusable];
  if (problem !== undefined) throw new Error(describeProblem(problem));
  return snapshotOf(objects);
}

function nodesOf(text: string): readonly NodeSnapshot[] {
  return parseAllDocuments(text).map((document) => completeNode(document.toJS() as BriefNode));
}

function settingsOf(text = ''): NodeSettings {
  return { ...defaultSettings, ...(parse(text) as Partial<NodeSettings> | null) };
}

/** The case of a folder: `cluster.yaml`, perhaps `unreadable.yaml`, `node.yaml` and `settings.yaml`. @throws where a file cannot be used. */
export function caseOf(files: Files): Case {
  const unreadable = parse(files['unreadable.yaml'] ?? '') as ClusterSnapshot['unreadable'] | null;
  return {
    cluster: { ...clusterOf('cluster.yaml', files['cluster.yaml'] ?? ''), ...(unreadable && { unreadable }) },
    nodes: nodesOf(files['node.yaml'] ?? ''),
    settings: settingsOf(files['settings.yaml']),
  };
}

/** What others do is a document without a kind; all others are objects. */
function stepOf(file: string, text: string): Step {
  const documents = parseAllDocuments(text) as readonly Document[];
  const isObject = (document: Document) => document.has('kind');
  const disturbances = documents.filter((document) => document.contents !== null && !isObject(document));
  const objects = documents.filter(isObject).map((document) => document.toString({ directives: false }));
  return disturbances
    .map((document) => document.toJS() as Omit<Step, 'cluster'>)
    .reduce<Step>((step, others) => ({ ...step, ...others }), { cluster: clusterOf(file, objects.join('---\n')) });
}

/** The story of a folder: `node.yaml`, `step-1.yaml` and so on, perhaps `settings.yaml`. @throws where a file cannot be used. */
export function storyOf(files: Files): Story {
  const [node] = nodesOf(files['node.yaml'] ?? '');
  if (node === undefined) throw new Error('a story has a node: node.yaml is missing');
  const names = Object.keys(files).filter((name) => name.startsWith('step-'));
  const steps = names.map((_name, index) => `step-${index + 1}.yaml`);
  return {
    settings: settingsOf(files['settings.yaml']),
    node,
    steps: steps.map((name) => {
      const text = files[name];
      if (text === undefined) throw new Error(`a story's steps are numbered from 1 on: ${name} is missing`);
      return stepOf(name, text);
    }),
  };
}
