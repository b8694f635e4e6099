import type { attachmentCauses } from '../../../../../src/domain/status/reasons.ts';
import { ip, mount, ovsVsctl, umount } from '../../commands.ts';
import { readyNetwork, unreadyNetwork } from '../node-agent.ts';
import { healthyCluster, uplinkOf, withGreen } from './healthy.ts';
import type { Action, NodeProblem } from './node-problem.ts';

/** An obstacle for a network on its bridge, and the message. */
interface Obstacle {
  /** Blue exists before; green is added with the obstacle. */
  readonly network: 'blue' | 'green';
  readonly title: string;
  readonly message: string;
  readonly cause: Action;
  readonly fix: Action;
  /** Removes what is left after green is deleted. */
  readonly cleanUp?: Action;
}

const greenOnInternalIp = {
  ...withGreen(),
  nodes: withGreen().nodes.map((node) => ({
    ...node,
    status: {
      addresses: [
        { type: 'InternalIP', address: '198.51.100.10' },
        { type: 'InternalIP', address: '198.51.102.6' },
      ],
    },
  })),
};

const obstacles: Readonly<Record<keyof typeof attachmentCauses, Obstacle>> = {
  'name-refused': {
    network: 'green',
    title: 'it is advertised in a VRF whose name is invalid for a device',
    message: 'the kernel refuses a VRF device named',
    cause: { cluster: withGreen({ targetVRF: 'all' }) },
    fix: { cluster: withGreen() },
  },
  missing: {
    network: 'green',
    title: 'it is advertised in a VRF that does not exist',
    message: 'VRF corp, which RouteAdvertisements name, does not exist',
    cause: { cluster: withGreen({ targetVRF: 'corp' }) },
    fix: { commands: [ip`link add corp up type vrf table 77`] },
    cleanUp: { commands: [ip`link delete corp`] },
  },
  'other-device': {
    network: 'green',
    title: 'another device has the name of its VRF',
    message: 'device green exists and is a dummy',
    cause: { commands: [ip`link add green type dummy`], cluster: withGreen() },
    fix: { commands: [ip`link delete green`] },
  },
  'other-table': {
    network: 'green',
    title: 'its VRF exists with another table',
    message: 'VRF green has table 78',
    cause: { commands: [ip`link add green up type vrf table 78`], cluster: withGreen() },
    fix: { commands: [ip`link delete green`] },
  },
  'table-taken': {
    network: 'green',
    title: 'another VRF has its table',
    message: 'VRF other, which is not managed by ovn-uplinks',
    cause: { commands: [ip`link add other up type vrf table 1013`], cluster: withGreen() },
    fix: { commands: [ip`link delete other`] },
  },
  occupied: {
    network: 'blue',
    title: 'its management port gets another index, and a foreign device is in its VRF',
    message: 'VRF blue must be recreated with table 10031',
    cause: {
      commands: [
        ip`link add guest type dummy`,
        ip`link set guest master blue`,
        ip`link delete ovn-k8s-mp1`,
        ip`link add ovn-k8s-mp1 up index 9031 type dummy`,
      ],
    },
    fix: { commands: [ip`link set guest nomaster`] },
    cleanUp: {
      commands: [ip`link delete guest`, ip`link delete ovn-k8s-mp1`, ip`link add ovn-k8s-mp1 up index 11 type dummy`],
    },
  },
  'other-master': {
    network: 'green',
    title: 'its interface is enslaved to another VRF',
    message: 'the master of br-green is corp',
    cause: {
      commands: [ip`link add corp up type vrf table 77`, ip`link set br-green master corp`],
      cluster: withGreen(),
    },
    fix: { commands: [ip`link set br-green nomaster`, ip`address add 2001:db8:d::6/64 dev br-green`] },
    cleanUp: { commands: [ip`link delete corp`] },
  },
  'cuts-node-off': {
    network: 'green',
    title: 'its interface has an address of the node',
    message: 'would cut the node off',
    cause: { cluster: greenOnInternalIp },
    fix: { cluster: withGreen() },
  },
  'cuts-tunnels': {
    network: 'green',
    title: 'tunnels of the node end at its interface',
    message: 'tunnels of the node end at 198.51.102.6 of br-green',
    cause: {
      commands: [ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-encap-ip="198.51.100.10,198.51.102.6"'}`],
      cluster: withGreen(),
    },
    fix: { commands: [ovsVsctl`remove Open_vSwitch . external_ids ovn-encap-ip`] },
  },
  'takes-up': {
    network: 'green',
    title: 'a VLAN device on its interface is down',
    message: 'would set VLAN device br-green.5 on it up',
    cause: { commands: [ip`link add link br-green name br-green.5 type vlan id 5`], cluster: withGreen() },
    fix: { commands: [ip`link set br-green.5 up`] },
    cleanUp: { commands: [ip`link delete br-green.5`] },
  },
  'cannot-be-put-back': {
    network: 'green',
    title: 'a route through its interface has an unknown attribute',
    message: 'changing the master of br-green would drop',
    cause: { commands: [ip`route add 203.0.113.0/25 dev br-green realm 5`], cluster: withGreen() },
    fix: { commands: [ip`route delete 203.0.113.0/25 dev br-green`] },
  },
  'in-the-way': {
    network: 'green',
    title: 'a foreign rule has the key of its own rule',
    message: 'conflicts with',
    cause: { commands: [ip`rule add priority 1999 fwmark 0x1003 lookup 78`], cluster: withGreen() },
    fix: { commands: [ip`rule delete priority 1999 fwmark 0x1003 lookup 78`] },
  },
};

const greenSettings = '/proc/sys/net/ipv6/conf/br-green';

/** Operations that are planned and refused when they are applied. */
const failures: Readonly<Record<string, Obstacle>> = {
  'a setting that cannot be changed': {
    network: 'green',
    title: 'the settings of its interface are read-only',
    message: 'failed: ~ net.ipv6.conf.br-green.keep_addr_on_down = 1',
    cause: {
      commands: [mount`--bind ${greenSettings} ${greenSettings}`, mount`-o remount,bind,ro ${greenSettings}`],
      cluster: withGreen(),
    },
    fix: { commands: [umount`${greenSettings}`] },
  },
};

/** A pattern for words that may be on several lines. */
const asPattern = (words: string) => words.replaceAll(' ', '\\s+').replaceAll('.', '\\.');

/** The problem of a network with an obstacle. */
function problemOf({ title, network, message, cause, fix, cleanUp }: Obstacle): NodeProblem {
  return {
    title,
    uplink: uplinkOf[network],
    cause,
    expected: `${asPattern(message)}.*${unreadyNetwork(network, 'UplinkVRFAttachmentFailed')}`,
    fix,
    expectedAfterFix: readyNetwork(network),
    cleanUp: [{ cluster: healthyCluster }, ...(cleanUp === undefined ? [] : [cleanUp])],
  };
}

/** Problems with reason `UplinkVRFAttachmentFailed`, by cause. */
export const attachmentProblems: readonly (readonly [cause: string, NodeProblem])[] = Object.entries({
  ...obstacles,
  ...failures,
}).map(([cause, obstacle]) => [cause, problemOf(obstacle)]);
