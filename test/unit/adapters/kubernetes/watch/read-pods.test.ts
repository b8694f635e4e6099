import { expect } from 'chai';
import { askedKind, type KubernetesScope } from '../../../../../src/adapters/kubernetes/kubernetes-scope.ts';

const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: '2026-11-28T12:00:00Z' });

/** A pod with everything that is read by one or another. */
const pod = {
  metadata: { namespace: 'blue', name: 'db-0', labels: { app: 'db' } },
  spec: {
    nodeName: 'worker-a',
    hostname: 'db-0',
    subdomain: 'db',
    containers: [
      { image: 'a', ports: [{ name: 'sql', containerPort: 5432, protocol: 'TCP' }, { containerPort: 1 }] },
      { image: 'b', ports: [{ containerPort: 2 }] },
      { image: 'c', readinessProbe: { tcpSocket: { port: 3 } } },
    ],
    initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'side', containerPort: 9000 }] }],
  },
  status: { phase: 'Running', conditions: [condition('Initialized'), condition('Ready')] },
};

/** The spec and the status that are read of it. */
function read(scope: KubernetesScope) {
  const { object, warnings } = askedKind('pods', scope).accept(pod, undefined);
  expect(warnings).to.deep.equal([]);
  return { spec: object?.['spec'], status: object?.['status'] };
}

const provided = { claimsNamespace: 'ovn-uplinks' };
const [phase, placed] = [{ phase: 'Running' }, { nodeName: 'worker-a' }];

describe('of a pod', () => {
  it('the cluster manager reads named ports, whether it is ready, and its name within a Service', () => {
    expect(read(provided)).to.deep.equal({
      spec: {
        ...placed,
        hostname: 'db-0',
        subdomain: 'db',
        containers: [{ ports: [{ name: 'sql', containerPort: 5432, protocol: 'TCP' }] }],
        initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'side', containerPort: 9000 }] }],
      },
      status: { ...phase, conditions: [{ type: 'Ready', status: 'True' }] },
    });
  });

  it('it reads none of that where it provides no networks', () => {
    expect(read({})).to.deep.equal({ spec: placed, status: phase });
  });

  it('the agent of its node reads what is probed, and not whether it is ready', () => {
    const { spec, status } = read({ ...provided, node: 'worker-a' });
    expect(spec).to.have.all.keys('nodeName', 'containers', 'initContainers');
    expect(spec).to.have.nested.property('containers[2].readinessProbe.tcpSocket.port', 3);
    expect(status).to.deep.equal(phase);
  });

  it('other agents read where it is', () => {
    expect(read({ ...provided, node: 'worker-b', hasAllPods: true })).to.deep.equal({ spec: placed, status: phase });
  });
});
