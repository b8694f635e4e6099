import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { checkWholeObject } from '../../../src/adapters/validation/check-object.ts';
import type { JsonObject } from '../../../src/adapters/json/json-object.ts';
import { pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { type KindKey, kinds } from '../../../src/domain/api/kinds.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { commandsOf } from '../lab/guide/guide-page.ts';
import { TestApiServer } from './api-server.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { ApiUser, configWith, firstKinds, kindsServed } from './served-config.ts';
import { state, uplink } from './whole-objects.ts';

const FIRST = join(import.meta.dirname, '../../../fixtures/crds/first');

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly [{ readonly name: string; readonly schema: { readonly openAPIV3Schema: unknown } }];
  };
}

/** The CustomResourceDefinitions as they were first shipped. */
const firstDefinitions = readdirSync(FIRST).map((file) => load(readFileSync(join(FIRST, file), 'utf8')) as Definition);

const firstSchema = (kind: string) =>
  firstDefinitions.find(({ spec }) => spec.names.kind === kind)?.spec.versions[0].schema.openAPIV3Schema;

const network = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: 'blue' },
  spec: {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: {
      topology: 'Layer3',
      layer3: {
        role: 'Primary',
        mtu: 1400,
        subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 24 }],
        joinSubnets: ['100.64.0.0/16'],
      },
    },
    uplinks: ['blue'],
  },
};

/** A network that newer definitions refuse. */
const impossible = {
  ...network,
  metadata: { name: 'impossible' },
  spec: {
    ...network.spec,
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '127.0.0.0/16' }] } },
  },
};

/** Every third: two of the same field differ in little. */
const some = (mutations: readonly Mutation[]) => mutations.filter((_, index) => index % 3 === 0);

/** The objects of each kind of which those that are valid are stored. */
const candidates: readonly { readonly key: KindKey; readonly part: string; readonly objects: readonly Mutation[] }[] = [
  { key: 'uplinks', part: 'spec', objects: some(mutationsOf(firstSchema('Uplink'), uplink, 'spec', 0)) },
  { key: 'uplinkStates', part: 'status', objects: some(mutationsOf(firstSchema('UplinkState'), state, 'status', 0)) },
  {
    key: 'clusterUserDefinedNetworks',
    part: 'spec',
    objects: some(mutationsOf(firstSchema('ClusterUserDefinedNetwork'), network, 'spec', 0)),
  },
];

interface Stored extends JsonObject {
  readonly metadata: { readonly name: string; readonly uid: string };
}

describe('newer CustomResourceDefinitions in place of older ones', () => {
  let server: TestApiServer;
  let administrator: ApiUser;
  const stored = new Map<KindKey, readonly Stored[]>();

  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    // As a user has installed them.
    server.kubectl(['apply', '--server-side', `--filename=${FIRST}`]);
    await kindsServed(server, firstKinds);
    expect(await write('clusterUserDefinedNetworks', 'spec', impossible)).to.equal(undefined);
    for (const { key, part, objects } of candidates) {
      const valid = new Set<string>();
      await inParallel(objects, async ({ object }, index) => {
        const name = `${key.toLowerCase()}-${index}`;
        if ((await write(key, part, { ...object, metadata: { name } })) === undefined) valid.add(name);
      });
      stored.set(
        key,
        (await list(key)).filter(({ metadata }) => valid.has(metadata.name)),
      );
    }
  });

  after(async () => {
    administrator.close();
    await server.stop();
  });

  /** Writes an object, or has the API server check one that it does not have; returns why it is refused. */
  async function write(key: KindKey, part: string, object: object, dryRun = false): Promise<string | undefined> {
    const { name } = (object as Stored).metadata;
    const query = { fieldManager: 'test', fieldValidation: 'Strict', force: 'true', ...(dryRun && { dryRun: 'All' }) };
    const path = `${pathOf(kinds[key])}/${name}`;
    const { apiVersion, kind, metadata } = object as Readonly<Record<string, unknown>>;
    // Of an object that is not there, the status cannot be written.
    if (part === 'status' && !dryRun)
      await administrator.send({ method: 'PATCH', path, query, body: { apiVersion, kind, metadata } });
    const where = part === 'status' ? `${path}/status` : path;
    const answer = await administrator.try({ method: 'PATCH', path: where, query, body: object });
    return answer === 'done' ? undefined : answer.message;
  }

  async function list(key: KindKey): Promise<readonly Stored[]> {
    const answer = await administrator.ask({ method: 'GET', path: pathOf(kinds[key]) });
    // While the API server begins to use another definition.
    if (!answer.ok && answer.failure.retryAfter !== undefined) {
      await pause(answer.failure.retryAfter);
      return await list(key);
    }
    if (!answer.ok) throw new Error(answer.failure.message);
    return (answer.value['items'] as readonly Stored[]).map(({ metadata: { name, uid }, ...rest }) => ({
      ...rest,
      metadata: { name, uid },
    }));
  }

  /**
   * The stored objects that are not as before, or that the API server would not take any more. It takes an object again that is stored already, whatever is
   * wrong with it: so it is asked about another one that is equal.
   */
  async function damaged(): Promise<readonly string[]> {
    const findings: string[] = [];
    for (const { key, part } of candidates) {
      const before = stored.get(key) ?? [];
      const now = new Map((await list(key)).map((object) => [object.metadata.uid, object]));
      const other = { name: 'another' };
      if (part === 'status') await write(key, part, { ...state, metadata: other, status: {} });
      await inParallel(before, async (object) => {
        const { name, uid } = object.metadata;
        const found = now.get(uid);
        if (JSON.stringify(found) !== JSON.stringify(object)) findings.push(`${key}/${name} is not as before`);
        const refusal = await write(key, part, { ...object, metadata: other }, true);
        if (refusal !== undefined) findings.push(`${key}/${name}: ${refusal}`);
      });
    }
    return findings;
  }

  it('of the first version accept objects with each field at its bounds', () => {
    for (const [key, objects] of stored) {
      console.log(`      ${objects.length} ${key}`);
      expect(objects.length, key).to.be.above(50);
    }
  });

  it('are applied in place as the guide says, and every stored object is unchanged and valid', async () => {
    const [command = ''] = commandsOf('Upgrade');
    const [program, ...words] = command.split(' ');
    expect([program, words.at(-1)], command).to.deep.equal(['kubectl', 'cluster']);
    const specs = () => server.kubectl(['get', 'crds', '--output=jsonpath={.items[*].spec}']);
    const before = specs();
    server.kubectl([...words.slice(0, -1), configWith('networks', 'ovn')]);
    expect(specs()).to.not.equal(before);
    expect(await damaged()).to.deep.equal([]);
    for (const [key, objects] of stored) {
      for (const object of objects) expect(checkWholeObject(key, object), object.metadata.name).to.deep.equal([]);
    }
  });

  it('refuse a network like one that is stored, and take the status and finalizers of that one as before', async () => {
    const { apiVersion, kind, metadata } = impossible;
    const path = `${pathOf(kinds.clusterUserDefinedNetworks)}/${metadata.name}`;
    const apply = async (where: string, fields: object) =>
      await administrator.try({
        method: 'PATCH',
        path: where,
        query: { fieldManager: 'other', fieldValidation: 'Strict' },
        body: { apiVersion, kind, ...fields },
      });
    const condition = { type: 'NetworkReady', status: 'True', reason: 'Ready', message: '' };
    const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const refusal = await write(
      'clusterUserDefinedNetworks',
      'spec',
      { ...impossible, metadata: { name: 'another' } },
      true,
    );
    expect(refusal).to.include('must not overlap with');
    expect(await apply(`${path}/status`, { metadata, status: { conditions } })).to.equal('done');
    expect(await apply(path, { metadata: { ...metadata, finalizers: ['example.com/kept'] } })).to.equal('done');
    expect(await apply(path, { metadata: { ...metadata, finalizers: [] } })).to.equal('done');
  });

  for (const { what, from, to } of [
    { what: 'takes a field away', from: '"vrf":', to: '"vrfName":' },
    { what: 'allows less', from: '"maxLength":15', to: '"maxLength":10' },
  ]) {
    it(`would be detected if one ${what}`, async () => {
      const definitions = JSON.stringify(customResourceDefinitions());
      expect(definitions).to.include(from);
      server.apply(...(JSON.parse(definitions.replaceAll(from, to)) as readonly object[]));
      await eventually('it counts', async () => (await damaged()).length > 0);
      server.apply(...customResourceDefinitions());
    });
  }
});

/** Does something with each of many, ten at a time. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index]!, index);
  };
  await Promise.all(Array.from({ length: 10 }, worker));
}
