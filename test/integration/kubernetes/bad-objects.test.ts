import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { isJsonObject } from '../../../src/adapters/json/json-object.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from './api-server.ts';
import {
  type ApiObject,
  attachment,
  cases,
  DEVICE,
  type Fields,
  namespaceOn,
  network,
  node,
  NODE,
  uplink,
} from './bad-objects.ts';
import { type RunningLoop, startAgent, startManager } from './loops.ts';
import { definitionsWithoutSchemas, otherDefinitions } from './other-definitions.ts';
import { ApiUser, kindsServed } from './served-config.ts';

describe('with bad objects on a real API server other networks become ready, and the problem is reported of', () => {
  let server: TestApiServer;
  let administrator: ApiUser;
  let access: ClusterAccess;
  let manager: RunningLoop | undefined;
  let agent: RunningLoop | undefined;
  let count = 0;

  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    server.apply(...definitionsWithoutSchemas(), ...otherDefinitions);
    await kindsServed(server);
    for (const object of namespaceOn(NODE, NODE)) await store(object);
    await store(
      node(
        NODE,
        { labels: { 'kubernetes.io/hostname': NODE } },
        { addresses: [{ type: 'InternalIP', address: '198.51.100.10' }] },
      ),
    );
    for (const { former = [] } of Object.values(cases)) for (const object of former) await store(object);
    server.apply(...customResourceDefinitions());
    await eventually('the definitions of now are in force', async () => {
      const body = uplink('refused', { type: 'LinuxBridge' });
      return (
        (await administrator.try({ method: 'POST', path: pathTo(body), query: { dryRun: 'All' }, body })) !== 'done'
      );
    });
    await store(uplink('steady', { hostInterfaceName: 'br-steady' }));
    manager = startManager(access);
    agent = startAgent(access, memoryNode(NODE));
    await expectGoesOn();
  });

  after(async () => {
    await agent?.stop();
    await manager?.stop();
    administrator.close();
    await server.stop();
  });

  const pathTo = ({ kind: name, metadata }: Pick<ApiObject, 'kind' | 'metadata'>) => {
    const kind = Object.values(kinds).find((each) => each.kind === name);
    if (kind === undefined) throw new Error(`there is no kind ${name}`);
    return pathOf(kind, metadata.namespace);
  };

  /** Creates an object, and writes its status. */
  async function store(object: ApiObject): Promise<void> {
    const { status, ...rest } = object;
    const path = pathTo(object);
    const answer = await administrator.ask({ method: 'POST', path, body: rest });
    // While the API server begins to serve a kind.
    if (!answer.ok && answer.failure.retryAfter !== undefined) {
      await pause(answer.failure.retryAfter);
      await store(object);
      return;
    }
    if (!answer.ok) throw new Error(`${object.kind}/${object.metadata.name}: ${answer.failure.message}`);
    if (status === undefined) return;
    const contentType = 'application/merge-patch+json';
    await administrator.send({
      method: 'PATCH',
      path: `${path}/${object.metadata.name}/status`,
      contentType,
      body: { status },
    });
  }

  /** The conditions of an object, as `TYPE STATUS REASON`. */
  async function conditionsOf(object: string): Promise<readonly string[]> {
    const [kind = '', name = ''] = object.split('/');
    const { status } = await administrator.send({
      method: 'GET',
      path: `${pathTo({ kind, metadata: { name } })}/${name}`,
    });
    const conditions = isJsonObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
    return (conditions as readonly Fields[]).map(({ type, status: is, reason }) => [type, is, reason].join(' '));
  }

  /** A new network becomes ready: agent and cluster manager have read it, and written a state and a condition. */
  async function expectGoesOn(): Promise<void> {
    count += 1;
    const name = `steady-${count}`;
    // Other ids are those of the bad objects.
    await store(attachment(name, 10 + count));
    await store(network(name, ['steady']));
    await becomes(`ClusterUserDefinedNetwork/${name}`, 'UplinksReady True UplinksReady');
  }

  async function becomes(object: string, condition: string): Promise<void> {
    let found: readonly string[] = [];
    try {
      await eventually(`${object} is ${condition}`, async () =>
        (found = await conditionsOf(object)).includes(condition),
      );
    } catch (error) {
      expect(found, String(error)).to.include(condition);
    }
  }

  async function says(who: string, { lines = [] }: Partial<RunningLoop> = {}, parts: readonly string[]): Promise<void> {
    await eventually(`the ${who} says ${parts.join(' … ')}`, () =>
      lines.some((line) => parts.every((part) => line.includes(part))),
    );
  }

  for (const [what, { objects = [], otherAgent, agentSays, managerSays, conditions = {} }] of Object.entries(cases)) {
    it(what, async () => {
      for (const object of objects) await store(object);
      const other = otherAgent === undefined ? undefined : startAgent(access, memoryNode(otherAgent));
      try {
        if (agentSays) await says('agent', other ?? agent, agentSays);
        if (managerSays) await says('cluster manager', manager, managerSays);
        for (const [object, condition] of Object.entries(conditions)) await becomes(object, condition);
        await expectGoesOn();
      } finally {
        await other?.stop();
      }
    });
  }
});

/** A node with an uplink bridge br-steady, and one with each name that is odd. */
function memoryNode(nodeName: string) {
  const bridges = ['br-steady', 'br-odd', DEVICE];
  return completeNode({
    nodeName,
    links: [
      { name: 'br-ex', addresses: [{ address: '169.254.0.2', prefixLength: 17 }] },
      ...bridges.flatMap((name, index) => [
        { name: `eth${index}` },
        { name, addresses: [{ address: `192.0.${index}.6`, prefixLength: 24 }] },
      ]),
      ...Array.from({ length: 60 }, (_, index) => ({ name: `ovn-k8s-mp${index + 1}` })),
    ],
    kernelRoutes: true,
    bridges: bridges.map((name, index) => ({ name, ports: [{ name: `eth${index}` }] })),
  });
}
