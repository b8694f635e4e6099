import { expect } from 'chai';
import {
  NODE_ID_ANNOTATION,
  POD_NETWORKS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
} from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { expectedPorts, type PortsByName } from '../../../../src/domain/pods/expected-port.ts';
import type { PodFacts } from '../../../../src/domain/pods/pod-attachment.ts';
import { namespace, network, node, pod } from '../brief-objects.ts';

const web = pod('web', 'demo', 'worker-a', { metadata: { name: 'web', namespace: 'demo', uid: '1' } });

const blue = clusterNetwork(
  network('blue', {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

const facts: PodFacts = {
  pod: web,
  namespace: namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' }),
  node: node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '3' } }),
  nodeId: 3,
  networks: [blue],
};

const none: PortsByName = { logicalPorts: new Map(), switchPorts: new Map() };

const PORT = 'demo.blue_demo_web';

/** Names of the ports that are expected. */
const namesFor = (changed: Partial<PodFacts>, ports: Partial<PortsByName> = {}) =>
  expectedPorts({ ...facts, ...changed }, '1', { ...none, ...ports }, defaultSettings).map(({ portName }) => portName);

const withMetadata = (metadata: object) => ({ pod: { ...web, metadata: { ...web.metadata, ...metadata } } });

const annotated = (definition: string) => ({
  annotations: { [POD_NETWORKS_ANNOTATION]: JSON.stringify({ [definition]: { ip_addresses: ['10.20.1.3/24'] } }) },
});

describe('the logical switch port of a pod', () => {
  it('is expected once everything is known that it follows from', () => {
    expect(namesFor({})).to.deep.equal([PORT]);
    expect(namesFor(withMetadata(annotated('demo/other')))).to.deep.equal([PORT]);
    for (const missing of ['pod', 'namespace', 'node', 'nodeId'] as const) {
      expect(namesFor({ [missing]: undefined }), missing).to.deep.equal([]);
    }
    expect(namesFor({ networks: [] })).to.deep.equal([]);
    expect(namesFor({ namespace: namespace('demo', { tenant: 'blue' }) })).to.deep.equal([]);
  });

  it('is not expected of a pod that is not attached, has ended or is ending, or is another one', () => {
    for (const changed of [
      { pod: { ...web, spec: { ...web.spec, hostNetwork: true } } },
      { pod: { ...web, spec: {} } },
      { pod: { ...web, spec: { nodeName: 'worker-b' } } },
      { pod: { ...web, status: { phase: 'Succeeded' } } },
      { pod: { ...web, status: { phase: 'Failed' } } },
      withMetadata({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      withMetadata({ uid: '2' }),
    ]) {
      expect(namesFor(changed), JSON.stringify(changed)).to.deep.equal([]);
    }
  });

  it('is not expected of a pod that was attached already', () => {
    expect(namesFor(withMetadata(annotated('demo/blue')))).to.deep.equal([]);
  });

  it('is not expected as long as there is one of its name, also of a former pod', () => {
    for (const uid of ['1', '2']) {
      const port = new Map([[PORT, { pod: { namespace: 'demo', name: 'web', uid } }]]);
      expect(namesFor({}, { logicalPorts: port })).to.deep.equal([]);
      expect(namesFor({}, { switchPorts: port })).to.deep.equal([]);
    }
  });
});
