/** Prints docs/conditions.md from the vocabulary of reasons. */
import { writeFileSync } from 'node:fs';
import {
  degradedReasons,
  networkReasons,
  type ReasonText,
  readyReasons,
  uplinksReadyReasons,
} from '../src/domain/index.ts';
import { attachmentCauses } from '../src/domain/status/reasons.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

function section(title: string, introduction: string, reasons: Readonly<Record<string, ReasonText>>): string {
  const rows = Object.entries(reasons).map(
    ([reason, { meaning, see, mend }]) => `| \`${reason}\` | ${cell(meaning)} | ${cell(see)} | ${cell(mend)} |`,
  );
  return [
    `## ${title}`,
    '',
    introduction,
    '',
    '| reason | what it means | where to see more | how to mend it |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const causes = [
  '## Causes of `UplinkVRFAttachmentFailed`',
  '',
  'What is found before anything is done, in the order in which it is looked for. `ovn-uplinks explain` names the file of a capture with it.',
  '',
  '| what the message says | how to mend it |',
  '|---|---|',
  ...Object.values(attachmentCauses).map(({ says, mend }) => `| ${cell(says)} | ${cell(mend)} |`),
  '',
].join('\n');

const page = [
  '# Conditions and reasons',
  '',
  'Every reason that ovn-uplinks gives, in order of precedence: where several apply, the first is told. Names in capitals stand for yours.',
  'This page is printed from `src/domain/status/reasons.ts` by `npm run goldens`.',
  '',
  section(
    'UplinkState: condition `Ready`',
    'What one node found out about one uplink. `Ready` is its only reason with status True.',
    readyReasons,
  ),
  section(
    'UplinkState: `networks[]`',
    'What one node has to say of each active network on the uplink. `Ready` is its only reason with `ready: "True"`.',
    networkReasons,
  ),
  section(
    'Uplink: condition `Degraded`',
    'Whether every selected node is ready. Status is False with the first two reasons and True with all others.',
    degradedReasons,
  ),
  section(
    'ClusterUserDefinedNetwork: condition `UplinksReady`',
    'Whether the network’s uplinks serve on every node on which it is active. `UplinksReady` is its only reason with status True.',
    uplinksReadyReasons,
  ),
  causes,
].join('\n');

writeFileSync(new URL('../docs/conditions.md', import.meta.url), page);
