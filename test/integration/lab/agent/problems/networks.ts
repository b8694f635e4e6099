import type { networkReasons } from '../../../../../src/domain/status/reasons.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { readyNetwork, unreadyNetwork } from '../node-agent.ts';
import { healthyCluster, uplinkOf, withRedAs } from './healthy.ts';
import type { NodeProblem } from './node-problem.ts';

/** Reasons that need a thing this agent does not program yet, and the one that has a table of its own. */
type Elsewhere = 'GatewayRouterFailed' | 'UplinkVRFAttachmentFailed';

/** What there is to be said of a problem with network blue, but for the reason, which the table says. */
type NetworkProblem = Omit<NodeProblem, 'uplink' | 'shows' | 'over'>;

const rows: Readonly<Record<Exclude<keyof typeof networkReasons, 'Ready' | Elsewhere>, readonly NetworkProblem[]>> = {
  NetworkNotAllocated: [
    {
      title: 'the network’s attachment definition is taken away',
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
      title: 'the management port of the network is taken away',
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
      title: 'another network comes to the bridge, and goes',
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
  UplinkBridgeMappingFailed: [
    {
      title: 'somebody maps the network to another bridge',
      cause: {
        commands: [
          ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings="physnet:br-ex,cluster_udn_blue:br-red"'}`,
        ],
      },
      fix: { commands: [ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`] },
    },
  ],
};

/** Problems with a network, by the reasons of its entry. */
export const networkProblems: readonly (readonly [reason: string, NodeProblem])[] = Object.entries(rows).flatMap(
  ([reason, problems]) =>
    problems.map((problem): readonly [string, NodeProblem] => [
      reason,
      {
        uplink: uplinkOf.blue,
        ...problem,
        shows: unreadyNetwork('blue', reason),
        over: readyNetwork('blue'),
      },
    ]),
);
