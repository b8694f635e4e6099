/** Prints docs/conditions.md from the vocabulary of reasons. */
import { writeFileSync } from 'node:fs';
import {
  degradedReasons,
  networkReasons,
  type ReasonText,
  readyReasons,
  uplinksReadyReasons,
} from '../src/domain/index.ts';
import {
  networkAllocationReasons,
  networkCreatedReasons,
  networkReadyReasons,
  servicesReadyReasons,
} from '../src/domain/status/provision-reasons.ts';
import { attachmentCauses } from '../src/domain/status/reasons.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

function section(title: string, introduction: string, reasons: Readonly<Record<string, ReasonText>>): string {
  const rows = Object.entries(reasons).map(
    ([reason, { meaning, see, fix }]) => `| \`${reason}\` | ${cell(meaning)} | ${cell(see)} | ${cell(fix)} |`,
  );
  return [
    `## ${title}`,
    '',
    introduction,
    '',
    '| reason | what it means | where to see more | how to fix it |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const causes = [
  '## Causes of `UplinkVRFAttachmentFailed`',
  '',
  'What planning finds, in the order in which it is checked. `ovn-uplinks explain` names the captured file of each.',
  '',
  '| what the message says | how to fix it |',
  '|---|---|',
  ...Object.values(attachmentCauses).map(({ says, fix }) => `| ${cell(says)} | ${cell(fix)} |`),
  '',
].join('\n');

const page = [
  '# Conditions and reasons',
  '',
  'All reasons that ovn-uplinks reports, in order of precedence: if several apply, the first is reported. Replace names in capitals with yours.',
  'This page is printed from `src/domain/status/reasons.ts` and `provision-reasons.ts` by `npm run goldens`.',
  '',
  section(
    'UplinkState: condition `Ready`',
    'What one node found about one uplink. `Ready` is the only reason with status True.',
    readyReasons,
  ),
  section(
    'UplinkState: `networks[]`',
    'What one node reports of each active network on the uplink. `Ready` is the only reason with `ready: "True"`.',
    networkReasons,
  ),
  section(
    'Uplink: condition `Degraded`',
    'Whether all selected nodes are ready. The status is False with the first two reasons and True with all others.',
    degradedReasons,
  ),
  section(
    'ClusterUserDefinedNetwork, UserDefinedNetwork: condition `UplinksReady`',
    'Whether the network’s uplinks are ready on all nodes on which it is active. A UserDefinedNetwork has it where `--egress uplink=NAME` gives it an Uplink. `UplinksReady` is the only reason with status True.',
    uplinksReadyReasons,
  ),
  section(
    'Networks that ovn-uplinks provides: condition `NetworkCreated`',
    'Whether all selected namespaces of a ClusterUserDefinedNetwork, or that of a UserDefinedNetwork, have the network. The first reason is the only one with status True.',
    networkCreatedReasons,
  ),
  section(
    'Networks that ovn-uplinks provides: condition `NetworkAllocationSucceeded`',
    'Whether the network has an id, and all nodes have subnets of it. The first reason is the only one with status True.',
    networkAllocationReasons,
  ),
  section(
    'Networks that ovn-uplinks provides: condition `NetworkReady`',
    'Whether the network is programmed on all nodes on which it is active. The message names the first nodes on which it is not, each with one of these reasons. The first reason is the only one with status True.',
    networkReadyReasons,
  ),
  section(
    'Networks that ovn-uplinks provides: condition `ServicesReady`',
    'Whether all nodes on which the network is active serve its Services that have an address; a network without such Services does not have it. The message names the first nodes that do not, each with one of these reasons, or the first Service that cannot be served as it is written. The first reason is the only one with status True.',
    servicesReadyReasons,
  ),
  causes,
].join('\n');

writeFileSync(new URL('../docs/conditions.md', import.meta.url), page);
