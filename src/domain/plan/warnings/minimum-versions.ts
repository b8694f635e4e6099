/** Versions of the programs of a node, and what is missing with older ones. */
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Warning } from '../view/warning.ts';

/** The oldest versions that a node should have (docs/running.md). */
const MINIMUM_VERSIONS = [
  {
    field: 'kernelRelease',
    name: 'Linux',
    least: [5, 16],
    otherwise:
      'gateways are not kept resolved (NTF_EXT_MANAGED), and interfaces in the default network cannot be locked',
  },
  {
    field: 'openVSwitchVersion',
    name: 'Open vSwitch',
    least: [3, 1],
    otherwise: 'ovn-uplinks is not tested with it, and flows may be refused',
  },
] as const;

/** Whether a version such as `5.10.0-23-amd64` comes before another one. A text that does not begin with a version does not. */
function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, first, second] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (first === undefined || second === undefined) return false;
  return Number(first) < major || (Number(first) === major && Number(second) < minor);
}

/** A warning for each program of a node that is too old, where its version is known. */
export function versionWarnings(node: NodeSnapshot): readonly Warning[] {
  return MINIMUM_VERSIONS.flatMap(({ field, name, least, otherwise }) => {
    const version = node[field];
    if (version === undefined || !isOlder(version, least)) return [];
    const message = `${name} is ${version}, expected ${least.join('.')} or newer: ${otherwise}`;
    return [{ object: `Node/${node.nodeName}`, message, seenOnNode: true }];
  });
}
