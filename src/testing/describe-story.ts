import { describeCase } from './describe-case.ts';
import type { Story } from './story.ts';

/** A story in lines: the node, then what each step says. */
export function describeStory({ settings, node, steps }: Story): string {
  return steps
    .flatMap(({ cluster, ...others }, index) => [
      `--- step ${index + 1} ${Object.keys(others).length === 0 ? '' : JSON.stringify(others)}`,
      describeCase({ cluster, nodes: index === 0 ? [node] : [], settings }),
    ])
    .join('\n');
}
