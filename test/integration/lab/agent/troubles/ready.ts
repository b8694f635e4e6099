import type { ReadyReason } from '../../../../../src/domain/status/reasons.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { blueBridge } from '../blue.ts';
import { readyCondition } from '../node-agent.ts';
import { healthyCluster, uplinkOf } from './healthy.ts';
import type { Trouble } from './trouble.ts';

/** Reasons that no agent of Full mode gives. */
type ReasonOfDpus = 'WaitingForDPU' | 'WaitingForDPUHost';

/** What there is to be said of a trouble with condition Ready, but for the reason, which the table says. */
type ReadyTrouble = Omit<Trouble, 'uplink' | 'shows' | 'over'> & { readonly uplink?: string };

/** The bridge, on the card that is there already; once it has an address its uplink is ready. */
const bridgeAgain = blueBridge.filter((command) => !command.includes('eth1') || command.includes('add-port'));
const untilAddress = bridgeAgain.findIndex((command) => command.includes('192.0.2.6/24')) + 1;

const [onlyUplink, ...otherUplinks] = healthyCluster.uplinks;
const selectedTwice = {
  ...healthyCluster,
  uplinks: [
    {
      ...onlyUplink!,
      spec: { nodeConfigs: [...onlyUplink!.spec.nodeConfigs, ...onlyUplink!.spec.nodeConfigs] },
    },
    ...otherUplinks,
  ],
};
const mistyped = {
  ...healthyCluster,
  uplinks: [
    { ...onlyUplink!, spec: { nodeConfigs: [{ ...onlyUplink!.spec.nodeConfigs[0]!, hostInterfaceName: 'br-bleu' }] } },
    ...otherUplinks,
  ],
};

const rows: Readonly<Record<Exclude<ReadyReason, 'Ready' | ReasonOfDpus>, readonly ReadyTrouble[]>> = {
  NodeSelectorOverlap: [
    {
      title: 'two rows of the Uplink select the node',
      breaks: { cluster: selectedTwice },
      mends: { cluster: healthyCluster },
    },
  ],
  HostInterfaceNotFound: [
    {
      title: 'the Uplink names another interface',
      breaks: { cluster: mistyped },
      mends: { cluster: healthyCluster },
    },
    {
      title: 'the bridge is taken away',
      breaks: { commands: [ovsVsctl`del-br br-blue`] },
      mends: { commands: bridgeAgain.slice(0, untilAddress) },
      afterwards: [{ commands: bridgeAgain.slice(untilAddress) }],
    },
  ],
  GatewayInfoUnavailable: [
    {
      title: 'the interface is set down',
      breaks: { commands: [ip`link set br-blue down`] },
      mends: { commands: [ip`link set br-blue up`] },
    },
    {
      title: 'the interface loses its addresses',
      breaks: { commands: [ip`address flush dev br-blue scope global`] },
      mends: {
        commands: [ip`address add 2001:db8:b::6/64 dev br-blue`, ip`address add 192.0.2.6/24 dev br-blue`],
      },
    },
  ],
  BridgeNotFound: [
    {
      title: 'the interface is taken off its bridge',
      uplink: uplinkOf.host4,
      breaks: { commands: [ovsVsctl`del-port br-green host4`] },
      mends: { commands: [ovsVsctl`add-port br-green host4`] },
    },
  ],
  BridgeInvalid: [
    {
      title: 'the physical port is set down',
      breaks: { commands: [ip`link set eth1 down`] },
      mends: { commands: [ip`link set eth1 up`] },
    },
    {
      title: 'the physical port is taken off the bridge',
      breaks: { commands: [ovsVsctl`del-port br-blue eth1`] },
      mends: { commands: [ovsVsctl`add-port br-blue eth1`] },
    },
    {
      title: 'a second physical port joins the bridge',
      breaks: { commands: [ip`link add eth5 up type dummy`, ovsVsctl`add-port br-blue eth5`] },
      mends: { commands: [ovsVsctl`br-set-external-id br-blue bridge-uplink eth1`] },
      afterwards: [
        { commands: [ovsVsctl`del-port br-blue eth5`, ip`link delete eth5`] },
        { commands: [ovsVsctl`br-set-external-id br-blue bridge-uplink`] },
      ],
    },
  ],
  MTUInvalid: [
    {
      title: 'the physical port is made narrower',
      breaks: { commands: [ip`link set eth1 mtu 1300`] },
      mends: { commands: [ip`link set eth1 mtu 1500`] },
    },
  ],
};

/** Troubles with condition Ready, by its reasons. */
export const readyTroubles: readonly (readonly [reason: string, Trouble])[] = Object.entries(rows).flatMap(
  ([reason, troubles]) =>
    troubles.map((trouble): readonly [string, Trouble] => [
      reason,
      {
        uplink: uplinkOf.blue,
        ...trouble,
        shows: readyCondition('False', reason),
        over: readyCondition('True', 'Ready'),
      },
    ]),
);
