import type { attachmentCauses } from '../../../../../src/domain/status/reasons.ts';
import { ip, sysctl } from '../../commands.ts';
import { readyNetwork, unreadyNetwork } from '../node-agent.ts';
import { healthyCluster, uplinkOf, withGreen } from './healthy.ts';
import type { Action, NodeProblem } from './node-problem.ts';

/** What stands in the way of a network on its bridge, and what the message says of it. */
interface Obstacle {
  /** Blue is there already; green comes with the obstacle. */
  readonly network: 'blue' | 'green';
  readonly title: string;
  readonly says: string;
  readonly cause: Action;
  readonly fix: Action;
  /** What is left of it when green has gone. */
  readonly afterwards?: Action;
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
    title: 'it is advertised in a VRF that no device can be named as',
    says: 'the kernel refuses a VRF device named',
    cause: { cluster: withGreen({ targetVRF: 'all' }) },
    fix: { cluster: withGreen() },
  },
  missing: {
    network: 'green',
    title: 'it is advertised in a VRF that is not there',
    says: 'VRF corp, which RouteAdvertisements name, does not exist',
    cause: { cluster: withGreen({ targetVRF: 'corp' }) },
    fix: { commands: [ip`link add corp up type vrf table 77`] },
    afterwards: { commands: [ip`link delete corp`] },
  },
  'other-device': {
    network: 'green',
    title: 'another device has the name of its VRF',
    says: 'device green exists and is a dummy',
    cause: { commands: [ip`link add green type dummy`], cluster: withGreen() },
    fix: { commands: [ip`link delete green`] },
  },
  'other-table': {
    network: 'green',
    title: 'somebody has made its VRF with another table',
    says: 'VRF green has table 78',
    cause: { commands: [ip`link add green up type vrf table 78`], cluster: withGreen() },
    fix: { commands: [ip`link delete green`] },
  },
  'table-taken': {
    network: 'green',
    title: 'another VRF has its table',
    says: 'VRF other, which is not managed by ovn-uplinks',
    cause: { commands: [ip`link add other up type vrf table 1013`], cluster: withGreen() },
    fix: { commands: [ip`link delete other`] },
  },
  occupied: {
    network: 'blue',
    title: 'its management port is made again under another number, and a device of others is in its VRF',
    says: 'VRF blue must be recreated with table 10031',
    cause: {
      commands: [
        ip`link add guest type dummy`,
        ip`link set guest master blue`,
        ip`link delete ovn-k8s-mp1`,
        ip`link add ovn-k8s-mp1 up index 9031 type dummy`,
      ],
    },
    fix: { commands: [ip`link set guest nomaster`] },
    afterwards: {
      commands: [ip`link delete guest`, ip`link delete ovn-k8s-mp1`, ip`link add ovn-k8s-mp1 up index 11 type dummy`],
    },
  },
  'other-master': {
    network: 'green',
    title: 'somebody has put its interface into another VRF',
    says: 'the master of br-green is corp',
    cause: {
      commands: [ip`link add corp up type vrf table 77`, ip`link set br-green master corp`],
      cluster: withGreen(),
    },
    fix: { commands: [ip`link set br-green nomaster`, ip`address add 2001:db8:d::6/64 dev br-green`] },
    afterwards: { commands: [ip`link delete corp`] },
  },
  'cuts-node-off': {
    network: 'green',
    title: 'its interface bears an address of the node',
    says: 'would cut the node off',
    cause: { cluster: greenOnInternalIp },
    fix: { cluster: withGreen() },
  },
  'takes-up': {
    network: 'green',
    title: 'a VLAN device on its interface is kept down',
    says: 'would set VLAN device br-green.5 on it up',
    cause: { commands: [ip`link add link br-green name br-green.5 type vlan id 5`], cluster: withGreen() },
    fix: { commands: [ip`link set br-green.5 up`] },
    afterwards: { commands: [ip`link delete br-green.5`] },
  },
  'cannot-be-put-back': {
    network: 'green',
    title: 'a route out of its interface says something that this version does not know',
    says: 'changing the master of br-green would drop',
    cause: { commands: [ip`route add 203.0.113.0/25 dev br-green realm 5`], cluster: withGreen() },
    fix: { commands: [ip`route delete 203.0.113.0/25 dev br-green`] },
  },
  'in-the-way': {
    network: 'green',
    title: 'a rule of somebody else’s stands at the place of its own one',
    says: 'conflicts with',
    cause: { commands: [ip`rule add priority 1999 fwmark 0x1003 lookup 78`], cluster: withGreen() },
    fix: { commands: [ip`rule delete priority 1999 fwmark 0x1003 lookup 78`] },
  },
};

/** Operations that are planned and fail when they are applied. */
const failures: Readonly<Record<string, Obstacle>> = {
  'an address that the kernel refuses': {
    network: 'green',
    title: 'new devices get no IPv6',
    says: 'failed',
    cause: { commands: [sysctl`-q -w net.ipv6.conf.default.disable_ipv6=1`], cluster: withGreen() },
    fix: { commands: [sysctl`-q -w net.ipv6.conf.green.disable_ipv6=0`] },
    afterwards: { commands: [sysctl`-q -w net.ipv6.conf.default.disable_ipv6=0`] },
  },
};

/** Words as they may be broken into lines. */
const asPattern = (words: string) => words.replaceAll(' ', '\\s+').replaceAll('.', '\\.');

/** A network that an obstacle stands in the way of. */
function problemOf({ title, network, says, cause, fix, afterwards }: Obstacle): NodeProblem {
  return {
    title,
    uplink: uplinkOf[network],
    cause,
    shows: `${asPattern(says)}.*${unreadyNetwork(network, 'UplinkVRFAttachmentFailed')}`,
    fix,
    over: readyNetwork(network),
    afterwards: [{ cluster: healthyCluster }, ...(afterwards === undefined ? [] : [afterwards])],
  };
}

/** Problems with what `UplinkVRFAttachmentFailed` stands for, by what it is. */
export const attachmentProblems: readonly (readonly [cause: string, NodeProblem])[] = Object.entries({
  ...obstacles,
  ...failures,
}).map(([cause, obstacle]) => [cause, problemOf(obstacle)]);
