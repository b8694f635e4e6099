import type { ReadyReason } from '../../../../../src/domain/status/reasons.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { blueBridge } from '../blue.ts';
import { readyCondition } from '../node-agent.ts';
import { healthyCluster, uplinkOf } from './healthy.ts';
import type { NodeProblem } from './node-problem.ts';

/** Reasons that no agent in Full mode reports. */
type DpuReason = 'WaitingForDPU' | 'WaitingForDPUHost';

/** A problem of condition Ready, without what the table of reasons contains. */
type ReadyProblem = Omit<NodeProblem, 'uplink' | 'expected' | 'expectedAfterFix'> & { readonly uplink?: string };

/** Creates the bridge on the existing card. Once it has an address, its uplink is ready. */
const newBridge = blueBridge.filter((command) => !command.includes('eth1') || command.includes('add-port'));
const addressEnd = newBridge.findIndex((command) => command.includes('192.0.2.6/24')) + 1;

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
const misspelt = {
  ...healthyCluster,
  uplinks: [
    { ...onlyUplink!, spec: { nodeConfigs: [{ ...onlyUplink!.spec.nodeConfigs[0]!, hostInterfaceName: 'br-bleu' }] } },
    ...otherUplinks,
  ],
};

const rows: Readonly<Record<Exclude<ReadyReason, 'Ready' | DpuReason>, readonly ReadyProblem[]>> = {
  NodeSelectorOverlap: [
    {
      title: 'two node configs of the Uplink select the node',
      cause: { cluster: selectedTwice },
      fix: { cluster: healthyCluster },
    },
  ],
  HostInterfaceNotFound: [
    {
      title: 'the Uplink names another interface',
      cause: { cluster: misspelt },
      fix: { cluster: healthyCluster },
    },
    {
      title: 'the bridge is deleted',
      cause: { commands: [ovsVsctl`del-br br-blue`] },
      fix: { commands: newBridge.slice(0, addressEnd) },
      cleanUp: [{ commands: newBridge.slice(addressEnd) }],
    },
  ],
  GatewayInfoUnavailable: [
    {
      title: 'the interface is set down',
      cause: { commands: [ip`link set br-blue down`] },
      fix: { commands: [ip`link set br-blue up`] },
    },
    {
      title: 'the interface loses its addresses',
      cause: { commands: [ip`address flush dev br-blue scope global`] },
      fix: {
        commands: [ip`address add 2001:db8:b::6/64 dev br-blue`, ip`address add 192.0.2.6/24 dev br-blue`],
      },
    },
  ],
  BridgeNotFound: [
    {
      title: 'the interface is removed from its bridge',
      uplink: uplinkOf.host4,
      cause: { commands: [ovsVsctl`del-port br-green host4`] },
      fix: { commands: [ovsVsctl`add-port br-green host4`] },
    },
  ],
  BridgeInvalid: [
    {
      title: 'the physical port is set down',
      cause: { commands: [ip`link set eth1 down`] },
      fix: { commands: [ip`link set eth1 up`] },
    },
    {
      title: 'the physical port is removed from the bridge',
      cause: { commands: [ovsVsctl`del-port br-blue eth1`] },
      fix: { commands: [ovsVsctl`add-port br-blue eth1`] },
    },
    {
      title: 'the port of the interface becomes a trunk that leaves out untagged frames',
      cause: { commands: [ovsVsctl`set port br-blue trunks=100`] },
      fix: { commands: [ovsVsctl`clear port br-blue trunks`] },
    },
    {
      title: 'a second physical port is added to the bridge',
      cause: { commands: [ip`link add eth5 up type dummy`, ovsVsctl`add-port br-blue eth5`] },
      fix: { commands: [ovsVsctl`br-set-external-id br-blue bridge-uplink eth1`] },
      cleanUp: [
        { commands: [ovsVsctl`del-port br-blue eth5`, ip`link delete eth5`] },
        { commands: [ovsVsctl`br-set-external-id br-blue bridge-uplink`] },
      ],
    },
  ],
  MTUInvalid: [
    {
      title: 'the MTU of the physical port is lowered',
      cause: { commands: [ip`link set eth1 mtu 1300`] },
      fix: { commands: [ip`link set eth1 mtu 1500`] },
    },
  ],
};

/** Problems of condition Ready, by reason. */
export const readyProblems: readonly (readonly [reason: string, NodeProblem])[] = Object.entries(rows).flatMap(
  ([reason, problems]) =>
    problems.map((problem): readonly [string, NodeProblem] => [
      reason,
      {
        uplink: uplinkOf.blue,
        ...problem,
        expected: readyCondition('False', reason),
        expectedAfterFix: readyCondition('True', 'Ready'),
      },
    ]),
);
