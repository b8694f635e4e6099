import { shortened, withoutIdle } from './describe-case.ts';
import { printedFiles, storyFiles } from './scenario-files.ts';
import type { Story } from './story.ts';

/** A story for a person: the files of its folder, one line an object, without usual values. */
export function describeStory({ steps, ...story }: Story): string {
  const shown = steps.map((step) => ({ ...step, cluster: withoutIdle(step.cluster) }));
  return shortened(printedFiles(storyFiles({ ...story, steps: shown }, '')));
}
