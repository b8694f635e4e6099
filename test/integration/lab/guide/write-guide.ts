/** Follows docs/guide.md, and writes into it what its commands print: npm run goldens:guide. */
import { writeFileSync } from 'node:fs';
import { GuidedCluster } from './guided-cluster.ts';
import { constantPart, GUIDE, guideText, sectionsOf, withOutput } from './guide-page.ts';

const page = guideText();
const guided = await GuidedCluster.start();
const printed: string[] = [];
try {
  for (const { title, steps } of sectionsOf(page)) {
    console.error(title);
    for (const step of steps) {
      const isLast = (now: string, { before }: { readonly before: string | undefined }) =>
        before !== undefined && constantPart(before) === constantPart(now);
      printed.push(...(await guided.follow(step, isLast)));
    }
  }
  writeFileSync(GUIDE, withOutput(page, printed));
} finally {
  await guided.stop();
}
