import type { networkReasons } from '../../../../../src/domain/status/reasons.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { readyNetwork, unreadyNetwork } from '../node-agent.ts';
import { bothAdvertised, healthyCluster, uplinkOf, withRedAs } from './healthy.ts';
import type { NodeProblem } from './node-problem.ts';

/** The reason that requires a node with OVN, and the one with its own file. */
type OtherReason = 'GatewayRouterFailed' | 'UplinkVRFAttachmentFailed';

/** A problem of network blue, without what the table of reasons contains. */
type NetworkProblem = Omit<NodeProblem, 'uplink' | 'expected' | 'expectedAfterFix'>;

const rows: Readonly<Record<Exclude<keyof typeof networkReasons, 'Ready' | OtherReason>, readonly NetworkProblem[]>> = {
  NetworkNotAllocated: [
    {
      title: 'the NetworkAttachmentDefinition is deleted',
      cause: {
        cluster: {
          ...healthyCluster,
          networkAttachmentDefinitions: healthyCluster.networkAttachmentDefinitions.filter(
            ({ metadata }) => metadata.name !== 'blue',
          ),
        },
      },
      fix: { cluster: healthyCluster },
    },
  ],
  PrerequisiteMissing: [
    {
      title: 'the management port of the network is deleted',
      cause: { commands: [ip`link delete ovn-k8s-mp1`] },
      fix: { commands: [ip`link add ovn-k8s-mp1 up index 11 type dummy`] },
    },
  ],
  UplinkConfigurationConflict: [
    {
      title: 'another network is advertised in the network’s VRF',
      cause: { cluster: withRedAs({ targetVRF: 'blue' }) },
      fix: { cluster: healthyCluster },
    },
    {
      title: 'another network uses the bridge',
      cause: { cluster: withRedAs({ device: 'br-blue' }) },
      fix: { cluster: healthyCluster },
    },
  ],
  UplinkNotReadyForNode: [
    {
      title: 'the physical port of its uplink is set down',
      cause: { commands: [ip`link set eth1 down`] },
      fix: { commands: [ip`link set eth1 up`] },
    },
  ],
  AddressFamilyMissing: [
    {
      title: 'the interface loses its IPv4 address',
      cause: { commands: [ip`address delete 192.0.2.6/24 dev br-blue`] },
      fix: { commands: [ip`address add 192.0.2.6/24 dev br-blue`] },
    },
    {
      title: 'the interface loses its IPv6 address',
      cause: { commands: [ip`address delete 2001:db8:b::6/64 dev br-blue`] },
      fix: { commands: [ip`address add 2001:db8:b::6/64 dev br-blue`] },
    },
  ],
  SubnetsOverlap: [
    {
      title: 'another network with the same pod subnets is advertised on the bridge',
      cause: { cluster: bothAdvertised },
      fix: { cluster: healthyCluster },
    },
  ],
  UplinkBridgeMappingFailed: [
    {
      title: 'the network is mapped to another bridge',
      cause: {
        commands: [
          ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings="physnet:br-ex,cluster_udn_blue:br-red"'}`,
        ],
      },
      fix: { commands: [ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`] },
    },
  ],
};

/** Problems of a network, by the reason of its entry. */
export const networkProblems: readonly (readonly [reason: string, NodeProblem])[] = Object.entries(rows).flatMap(
  ([reason, problems]) =>
    problems.map((problem): readonly [string, NodeProblem] => [
      reason,
      {
        uplink: uplinkOf.blue,
        ...problem,
        expected: unreadyNetwork('blue', reason),
        expectedAfterFix: readyNetwork('blue'),
      },
    ]),
);
