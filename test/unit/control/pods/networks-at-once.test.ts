import { expect } from 'chai';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import type { CniCall } from '../../../../src/domain/pods/cni/call.ts';
import { PRIMARY_NETWORK_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { namespace, pod } from '../../domain/brief-objects.ts';
import { add, blue, PodScene, timing, web } from './pod-scene.ts';

const ofTenant = (tenant: string) => ({ matchLabels: { tenant } });

describe('an agent that attaches pods to two networks', () => {
  it('has a pod wait for the addresses of one of the same network, and not of another network', async () => {
    const scene = new PodScene();
    const { ports } = scene.node;
    const red = {
      ...blue,
      metadata: { name: 'red' },
      networkName: 'cluster_udn_red',
      namespaceSelector: ofTenant('red'),
    };
    scene.node.change({
      networks: [{ ...blue, namespaceSelector: ofTenant('blue') }, red],
      pods: [
        web(),
        pod('next', 'demo', 'worker-a', { metadata: { name: 'next', namespace: 'demo', uid: '2' } }),
        pod('red', 'red', 'worker-a', { metadata: { name: 'red', namespace: 'red', uid: '3' } }),
      ],
    });
    const asked: string[] = [];
    const [begun, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const cluster: typeof ports.cluster = {
      ...ports.cluster,
      facts: (identity) => {
        const labels = { tenant: identity.namespace === 'red' ? 'red' : 'blue', [PRIMARY_NETWORK_LABEL]: '' };
        return { ...ports.cluster.facts(identity), namespace: namespace(identity.namespace, labels) };
      },
    };
    const logicalPorts: typeof ports.logicalPorts = {
      ...ports.logicalPorts,
      put: async (port) => {
        asked.push(port.pod.name);
        if (port.pod.name === 'web') {
          begun.resolve(undefined);
          await released.promise;
        }
        return await ports.logicalPorts.put(port);
      },
    };
    const agent = new PodAgent({ ...ports, cluster, logicalPorts }, defaultSettings, timing);
    const attached = (name: string, namespaceName: string, containerId: string) => {
      const netns = `/run/netns/${name}`;
      const call = {
        ...add(containerId, netns),
        network: `cluster_udn_${namespaceName === 'red' ? 'red' : 'blue'}`,
        pod: { namespace: namespaceName, name },
      } as CniCall;
      return agent.answer(call, scene.node.plugin(netns, 'net1'));
    };
    scene.node.namespaces.add('/run/netns/red');
    scene.node.locks.devices = [...scene.node.locks.devices, { name: 'veth-red', index: 103 }];
    const first = attached('web', 'demo', 'c0ffee');
    await begun.promise;
    const second = attached('next', 'demo', 'decaf');
    expect((await attached('red', 'red', 'facade')).kind).to.equal('attached');
    expect(asked).to.deep.equal(['web', 'red']);
    released.resolve(undefined);
    expect([(await first).kind, (await second).kind]).to.deep.equal(['attached', 'attached']);
    expect(asked).to.deep.equal(['web', 'red', 'next']);
    expect(new Set(scene.node.logicalPorts.map(({ addresses }) => addresses[0]))).to.deep.equal(
      new Set(['10.20.1.3', '10.20.1.4']),
    );
  });
});
