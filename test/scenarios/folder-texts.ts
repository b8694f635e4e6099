/**
 * Reads the files of a folder: the way back from `scenarioFiles` and `storyFiles`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { contentsOfText } from '../../src/adapters/manifests/manifest-text.ts';
import { snapshotOf } from '../../src/adapters/manifests/snapshot-of-objects.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  kinds,
  type NodeSettings,
  type NodeSnapshot,
} from '../../src/domain/index.ts';
import { describeProblem, inFile } from '../../src/ports/input-problem.ts';
import { type BriefCluster, completeObjects } from '../../src/testing/brief-cluster.ts';
import { type BriefNode, completeNode } from '../../src/testing/brief-node.ts';
import type { Case } from '../../src/testing/case.ts';
import type { Files } from '../../src/testing/scenario-files.ts';
import type { Step, Story } from '../../src/testing/story.ts';

/** The value of a text; undefined where it is empty or missing. */
function valueOf(text = ''): unknown {
  return loadAll(text)[0] ?? undefined;
}

/** The texts of a folder, by the names of their files. */
export function readTexts(folder: string): Files {
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** The cluster of a file in short form. @throws where it has an unknown list, or an object that cannot be used */
function clusterOf(file: string, brief: BriefCluster): ClusterSnapshot {
  const unknown = Object.keys(brief).filter((key) => !Object.hasOwn(kinds, key));
  if (unknown.length > 0) throw new Error(`${file}: no kind has the list ${unknown.join(', ')}`);
  const documents = completeObjects(brief).map((object) => JSON.stringify(object));
  const { objects, problems } = contentsOfText(file, documents.join('\n---\n'));
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
  return loadAll(text).map((document) => completeNode(document as BriefNode));
}

function settingsOf(text?: string): NodeSettings {
  return { ...defaultSettings, ...(valueOf(text) as Partial<NodeSettings> | undefined) };
}

/** The case of a folder: `cluster.yaml`, perhaps `unreadable.yaml`, `node.yaml` and `settings.yaml`. @throws where a file cannot be used. */
export function caseOf(files: Files): Case {
  const unreadable = valueOf(files['unreadable.yaml']) as ClusterSnapshot['unreadable'];
  return {
    cluster: {
      ...clusterOf('cluster.yaml', valueOf(files['cluster.yaml']) ?? {}),
      ...(unreadable && { unreadable }),
    },
    nodes: nodesOf(files['node.yaml'] ?? ''),
    settings: settingsOf(files['settings.yaml']),
  };
}

/** Changes by others stand beside the lists of objects. */
function stepOf(file: string, text: string): Step {
  const { damage, remadeManagementPort, ...cluster } = (valueOf(text) ?? {}) as Omit<Step, 'cluster'> & BriefCluster;
  return {
    ...(damage !== undefined && { damage }),
    ...(remadeManagementPort !== undefined && { remadeManagementPort }),
    cluster: clusterOf(file, cluster),
  };
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
