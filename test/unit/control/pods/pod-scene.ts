/** An agent on a node in memory, and the calls of a runtime. */
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import type { PodTiming } from '../../../../src/control/pods/pod-ports.ts';
import type { RepairScope } from '../../../../src/control/repairs.ts';
import type { CniAnswer } from '../../../../src/domain/pods/cni/answer.ts';
import type { CniCall } from '../../../../src/domain/pods/cni/call.ts';
import { NODE_ID_ANNOTATION, PRIMARY_NETWORK_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import type { CniPlugin } from '../../../../src/ports/pods/cni-agent.ts';
import type { SwitchPorts } from '../../../../src/ports/node/switch-ports.ts';
import { FakePodNode } from '../../../fakes/pod-node.ts';
import { namespace, network, node, pod } from '../../domain/brief-objects.ts';

/** Short times: everything is at hand. */
export const timing = { objects: 20, flows: 20, gateway: 10, annotation: 1000 };

/** The pod. */
export const web = (uid = '1') => pod('web', 'demo', 'worker-a', { metadata: { name: 'web', namespace: 'demo', uid } });

/** Its network. */
export const blue = clusterNetwork(
  network('blue', {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

const facts: FakePodNode['facts'] = {
  namespace: namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' }),
  nodeId: 3,
  node: node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '3' } }),
  networks: [blue],
  pods: [web()],
};

/** Its interface. */
export const attachment = { containerId: 'c0ffee', ifname: 'net1' };

/** A call of ADD. */
export const add = (containerId = 'c0ffee', netns = '/run/netns/web', uid = '1'): CniCall => ({
  command: 'ADD',
  cniVersion: '1.1.0',
  network: 'cluster_udn_blue',
  attachment: { containerId, ifname: 'net1' },
  netns,
  pod: { namespace: 'demo', name: 'web', uid },
});

/** A call of DEL. */
export const del = (containerId = 'c0ffee'): CniCall => ({
  command: 'DEL',
  cniVersion: '1.1.0',
  network: 'cluster_udn_blue',
  attachment: { containerId, ifname: 'net1' },
});

export const check: CniCall = { ...add(), command: 'CHECK' } as CniCall;

/** An agent that can be restarted. */
export class PodScene {
  readonly node = new FakePodNode(facts);
  readonly #timing: PodTiming;
  #agent: PodAgent;

  constructor(times: PodTiming = timing) {
    this.#timing = times;
    this.#agent = new PodAgent(this.node.ports, defaultSettings, times);
  }

  run(call: CniCall, netns = '/run/netns/web', ended?: AbortSignal): Promise<CniAnswer> {
    return this.#agent.answer(call, this.node.plugin(netns, 'net1', ended));
  }

  answer(call: CniCall, plugin: CniPlugin): Promise<CniAnswer> {
    return this.#agent.answer(call, plugin);
  }

  prepare() {
    return this.#agent.prepare();
  }

  idle() {
    return this.#agent.idle();
  }

  repair(scope?: RepairScope) {
    return this.#agent.repair(scope);
  }

  restartAgent(): void {
    this.node.startAgent();
    this.#agent = new PodAgent(this.node.ports, defaultSettings, this.#timing);
  }
}

/** An agent on the node of a scene whose Open vSwitch does something else at some calls. */
export function agentWith({ node: { ports } }: PodScene, switchPorts: Partial<SwitchPorts>): PodAgent {
  return new PodAgent({ ...ports, switchPorts: { ...ports.switchPorts, ...switchPorts } }, defaultSettings, timing);
}

/** The remains if there is no attachment. */
export const nothing = { logicalPorts: [], switchPorts: [], links: [], locks: [] };

/** The error of an answer, if any. */
export const errorOf = (answer: CniAnswer) => (answer.kind === 'failed' ? answer.error : undefined);
