import { stateWrite } from '../../../src/domain/objects/writes.ts';
import { expect } from 'chai';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import type { UplinkState } from '../../../src/domain/api/uplink-state.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from './api-server.ts';
import { definitionsWithoutSchemas } from './other-definitions.ts';
import { ApiUser, CONFIG, connectionOf, kindsServed, tokenOnNode } from './served-config.ts';

const PATH = '/apis/k8s.ovn.org/v1alpha1/uplinkstates/blue.worker-a';

const names = { 'k8s.ovn.org/uplink': 'blue', 'k8s.ovn.org/node': 'worker-a' };
const state: UplinkState = {
  apiVersion: 'k8s.ovn.org/v1alpha1',
  kind: 'UplinkState',
  metadata: { name: 'blue.worker-a', labels: names, annotations: names },
  status: { uplinkName: 'blue', nodeName: 'worker-a', type: 'OVSBridge', hostInterfaceName: 'br-blue' },
};

describe('a state of an agent’s own with fields of other types, stored before its definition was tightened', () => {
  let server: TestApiServer;
  let administrator: ApiUser;
  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    server.kubectl(['apply', '--server-side', '--validate=strict', `--kustomize=${CONFIG}`]);
    await kindsServed(server);
    server.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-a' } });
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });

  /** Writes a status over the present one, and returns whether that is allowed. */
  const isAllowed = async (status: object, query = {}) => {
    const contentType = 'application/merge-patch+json';
    const request = { method: 'PATCH', path: `${PATH}/status`, contentType, query, body: { status } } as const;
    return (await administrator.try(request)) === 'done';
  };

  it('is recreated, since the API server does not let it be written', async () => {
    const ofStates = (definition: object) => JSON.stringify(definition).includes('"UplinkState"');
    const { status: _, ...unwritten } = state;
    server.apply(...definitionsWithoutSchemas().filter(ofStates), unwritten);
    await eventually('it is stored', () => isAllowed({ ...state.status, networks: 'none', ipAddresses: 5 }));
    server.apply(...customResourceDefinitions().filter(ofStates));
    await eventually(
      'it would not be stored now',
      async () => !(await isAllowed({ ipAddresses: 6 }, { dryRun: 'All' })),
    );
    await kindsServed(server);
    const token = await tokenOnNode(administrator, 'ovn-uplinks-node', 'worker-a');
    const store = new KubernetesApi(await connectionOf(server, token), {
      fieldManager: 'ovn-uplinks-node',
      node: 'worker-a',
    });
    try {
      await eventually('all kinds are read', async () => (await store.read()).read);
      const begin = performance.now();
      expect(await store.write(stateWrite(state))).to.deep.equal({ done: true });
      process.stdout.write(`      after ${(performance.now() - begin).toFixed(0)} ms\n`);
      const stored = await administrator.send({ method: 'GET', path: PATH });
      expect(stored['status']).to.deep.equal(state.status);
      const reading = await store.read();
      expect(reading.read && reading.value.snapshot.uplinkStates).to.have.length(1);
      expect(reading.read && reading.value.snapshot.unreadable).to.equal(undefined);
    } finally {
      await store.close();
    }
  });
});
