import type { networkReasons } from '../../../../../src/domain/status/reasons.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { readyNetwork, unreadyNetwork } from '../node-agent.ts';
import { healthyCluster, uplinkOf, withRedAs } from './healthy.ts';
import type { Trouble } from './trouble.ts';

/** Reasons that need a thing this agent does not program yet, and the one that has a table of its own. */
type Elsewhere = 'GatewayRouterFailed' | 'UplinkVRFAttachmentFailed';

/** What there is to be said of a trouble with network blue, but for the reason, which the table says. */
type NetworkTrouble = Omit<Trouble, 'uplink' | 'shows' | 'over'>;

const rows: Readonly<Record<Exclude<keyof typeof networkReasons, 'Ready' | Elsewhere>, readonly NetworkTrouble[]>> = {
  NetworkNotAllocated: [
    {
      title: 'the network’s attachment definition is taken away',
      breaks: {
        cluster: {
          ...healthyCluster,
          networkAttachmentDefinitions: healthyCluster.networkAttachmentDefinitions.filter(
            ({ metadata }) => metadata.name !== 'blue',
          ),
        },
      },
      mends: { cluster: healthyCluster },
    },
  ],
  PrerequisiteMissing: [
    {
      title: 'the management port of the network is taken away',
      breaks: { commands: [ip`link delete ovn-k8s-mp1`] },
      mends: { commands: [ip`link add ovn-k8s-mp1 up index 11 type dummy`] },
    },
  ],
  UplinkConfigurationConflict: [
    {
      title: 'another network is advertised in the network’s VRF',
      breaks: { cluster: withRedAs({ targetVRF: 'blue' }) },
      mends: { cluster: healthyCluster },
    },
    {
      title: 'another network comes to the bridge, and goes',
      breaks: { cluster: withRedAs({ device: 'br-blue' }) },
      mends: { cluster: healthyCluster },
    },
  ],
  UplinkNotReadyForNode: [
    {
      title: 'the physical port of its uplink is set down',
      breaks: { commands: [ip`link set eth1 down`] },
      mends: { commands: [ip`link set eth1 up`] },
    },
  ],
  AddressFamilyMissing: [
    {
      title: 'the interface loses its IPv4 address',
      breaks: { commands: [ip`address delete 192.0.2.6/24 dev br-blue`] },
      mends: { commands: [ip`address add 192.0.2.6/24 dev br-blue`] },
    },
    {
      title: 'the interface loses its IPv6 address',
      breaks: { commands: [ip`address delete 2001:db8:b::6/64 dev br-blue`] },
      mends: { commands: [ip`address add 2001:db8:b::6/64 dev br-blue`] },
    },
  ],
  UplinkBridgeMappingFailed: [
    {
      title: 'somebody maps the network to another bridge',
      breaks: {
        commands: [
          ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings="physnet:br-ex,cluster_udn_blue:br-red"'}`,
        ],
      },
      mends: { commands: [ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`] },
    },
  ],
};

/** Troubles with a network, by the reasons of its entry. */
export const networkTroubles: readonly (readonly [reason: string, Trouble])[] = Object.entries(rows).flatMap(
  ([reason, troubles]) =>
    troubles.map((trouble): readonly [string, Trouble] => [
      reason,
      {
        uplink: uplinkOf.blue,
        ...trouble,
        shows: unreadyNetwork('blue', reason),
        over: readyNetwork('blue'),
      },
    ]),
);
