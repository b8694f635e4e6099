import { shortened, withoutIdle } from './describe-case.ts';
import { printedFiles, storyFiles } from './scenario-files.ts';
import type { Story } from './story.ts';

/** A story as a person reads it: as the files of its folder, one line a thing. What is as usual is left out. */
export function describeStory({ steps, ...story }: Story): string {
  const shown = steps.map((step) => ({ ...step, cluster: withoutIdle(step.cluster) }));
  return shortened(printedFiles(storyFiles({ ...story, steps: shown }, '')));
}
