import { expect } from 'chai';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { dirname, join } from 'node:path';
import { checkObject } from '../../../src/adapters/manifests/check-object.ts';
import { dropNullFields } from '../../../src/adapters/manifests/null-fields.ts';
import type { JsonObject } from '../../../src/adapters/json/json-object.ts';
import { customResourceDefinitions } from '../../../src/domain/api/custom-resource-definition.ts';
import { type KindKey, kinds } from '../../../src/domain/api/kinds.ts';
import { TestApiServer } from './api-server.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { kindsServed } from './served-config.ts';
import { metadata, state, uplink } from './whole-objects.ts';

/** What is said of an object: nothing, if it is valid. */
interface Verdict {
  readonly isValid: boolean;
  /** Paths of the fields that are named, sorted; none where a decoder fails at once. */
  readonly fields: readonly string[];
  /** Whether there may be more to say, since CEL rules were not evaluated. */
  readonly isPartial: boolean;
}

interface Status {
  readonly message?: string;
  readonly metadata?: { readonly resourceVersion: string };
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
}

const each = (fields: readonly string[]) => [...new Set(fields)].sort();

/** A path with keys of maps as the API server writes them. */
const plainPath = (path: string) =>
  path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, (_, key: string) => `.${JSON.parse(`"${key}"`) as string}`);

/** What `validate` says of an object. */
function offlineVerdict(key: KindKey, object: object, old?: object): Verdict {
  const copy = structuredClone(object);
  dropNullFields(copy);
  const findings = checkObject(key, copy as JsonObject, old as JsonObject | undefined);
  return {
    isValid: findings.length === 0,
    fields: each(findings.map(({ path }) => plainPath(path))),
    isPartial: false,
  };
}

const isWithin = (path: string, parent: string) =>
  path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);

/** How two verdicts differ; absent where they agree. */
function differenceOf(server: Verdict, offline: Verdict): string | undefined {
  const said = `the API server names ${server.fields.join(', ') || 'no field'}, validate ${offline.fields.join(', ') || 'none'}`;
  if (server.isValid !== offline.isValid)
    return `${server.isValid ? 'only validate refuses it' : 'only the API server refuses it'}: ${said}`;
  // A decoder that fails at once names nothing.
  if (server.fields.length === 0) return undefined;
  // A field in a value of another type is unknown too; and a value that cannot be read makes the rules around it fail.
  const others = server.fields.filter(
    (field) => !offline.fields.some((path) => isWithin(field, path) || isWithin(path, field)),
  );
  const missed = server.isPartial
    ? []
    : offline.fields.filter((field) => !server.fields.some((path) => isWithin(path, field)));
  return others.length === 0 && missed.length === 0 ? undefined : said;
}

/** States with a condition Ready, with and without each field that the condition requires. */
function readyStates(stored: typeof state): readonly Mutation[] {
  const fields = {
    ovsBridge: [{ name: 'br' }],
    macAddress: ['02:00:00:00:00:01'],
    ipAddresses: [['192.0.2.6/24'], []],
  };
  const choices = Object.entries(fields).reduce<readonly object[]>(
    (sets, [field, values]) => sets.flatMap((set) => [set, ...values.map((value) => ({ ...set, [field]: value }))]),
    [{}],
  );
  return ['True', 'False', 'Unknown'].flatMap((status) =>
    choices.map((choice) => {
      const conditions = [{ type: 'Ready', status, reason: 'Ready' }];
      return { what: JSON.stringify([status, choice]), object: { ...stored, status: { ...choice, conditions } } };
    }),
  );
}

const cudn = (uplinks: object) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: 'blue' },
  spec: {
    namespaceSelector: {},
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
    ...uplinks,
  },
});

describe('validate and a real API server with the CustomResourceDefinitions', () => {
  let server: TestApiServer;
  let agent: Agent;

  before(async () => {
    server = await TestApiServer.start();
    agent = new Agent({
      keepAlive: true,
      maxSockets: 1,
      ca: readFileSync(join(dirname(server.kubeconfig), 'apiserver.crt')),
    });
    server.apply(...customResourceDefinitions());
    await kindsServed(server);
  });

  after(async () => {
    agent.destroy();
    await server.stop();
  });

  /** Sends an object over one connection. */
  async function send(method: string, path: string, object: object): Promise<{ code: number; status: Status }> {
    const { users } = JSON.parse(readFileSync(server.kubeconfig, 'utf8')) as {
      readonly users: readonly { readonly user: { readonly token: string } }[];
    };
    const headers = { authorization: `Bearer ${users[0]!.user.token}`, 'content-type': 'application/json' };
    const sent = request(`${server.url}${path}`, { method, agent, headers }).end(JSON.stringify(object));
    const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { readonly statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { code: response.statusCode, status: JSON.parse(Buffer.concat(chunks).toString()) as Status };
  }

  /** What the API server says of an object. It names unknown fields alone, if there are any: then it is asked for the rest as well. */
  async function verdictOf(method: string, path: string, object: object): Promise<Verdict> {
    const strict = await send(method, `${path}?dryRun=All&fieldValidation=Strict`, object);
    if (strict.code < 300) return { isValid: true, fields: [], isPartial: false };
    const unknown = [...(strict.status.message ?? '').matchAll(/unknown field "([^"]*)"/g)].map(
      ([, field = '']) => field,
    );
    const { code, status } =
      unknown.length === 0 ? strict : await send(method, `${path}?dryRun=All&fieldValidation=Ignore`, object);
    expect(code, status.message).to.be.oneOf([200, 201, 400, 422]);
    const causes = status.details?.causes ?? [];
    const notChecked = causes.filter(({ message }) => message.includes('some validation rules were not checked'));
    const named = causes.filter((cause) => !notChecked.includes(cause)).map(({ field = '' }) => field);
    return { isValid: false, fields: each([...unknown, ...named]), isPartial: notChecked.length > 0 };
  }

  /** Compares both verdicts on all mutations; returns how many there are and how many are valid. */
  async function compare(
    mutations: readonly Mutation[],
    {
      key,
      method,
      path,
      old,
    }: { readonly key: KindKey; readonly method: string; readonly path: string; readonly old?: object },
  ): Promise<{ readonly objects: number; readonly valid: number }> {
    const differences: string[] = [];
    let valid = 0;
    for (const { what, object } of mutations) {
      const verdict = await verdictOf(method, path, object);
      if (verdict.isValid) valid += 1;
      const difference = differenceOf(verdict, offlineVerdict(key, object, old));
      if (difference !== undefined) differences.push(`${what}: ${difference}`);
    }
    expect(differences).to.deep.equal([]);
    return { objects: mutations.length, valid };
  }

  it('agree on new Uplinks, and name the same fields', async () => {
    const mutations = ['spec', 'metadata.name'].flatMap((part) =>
      mutationsOf(kinds.uplinks.schema, uplink, part, 1000),
    );
    const path = '/apis/k8s.ovn.org/v1alpha1/uplinks';
    const { objects, valid } = await compare(mutations, { key: 'uplinks', method: 'POST', path });
    expect(objects).to.be.above(1300);
    expect(valid).to.be.within(100, objects - 500);
  });

  it('agree on statuses of UplinkStates, and name the same fields', async () => {
    const path = '/apis/k8s.ovn.org/v1alpha1/uplinkstates';
    const { apiVersion, kind } = state;
    const { status } = await send('POST', path, { apiVersion, kind, metadata });
    const stored = { ...state, metadata: { ...metadata, resourceVersion: status.metadata?.resourceVersion } };
    const mutations = [...mutationsOf(kinds.uplinkStates.schema, stored, 'status', 1500), ...readyStates(stored)];
    const { objects, valid } = await compare(mutations, {
      key: 'uplinkStates',
      method: 'PUT',
      path: `${path}/blue/status`,
    });
    expect(objects).to.be.above(2500);
    expect(valid).to.be.within(500, objects - 500);
  });

  it('agree on changes of the uplinks of a network', async () => {
    const path = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
    const lists = [
      {},
      { uplinks: [] },
      { uplinks: ['blue'] },
      { uplinks: ['red'] },
      { uplinks: [''] },
      { uplinks: null },
    ];
    const verdicts: Record<string, readonly boolean[]> = {};
    for (const before of lists.slice(0, 3)) {
      const { status } = await send('POST', path, cudn(before));
      const { resourceVersion } = status.metadata!;
      const mutations = lists.map((after) => {
        const object = cudn(after);
        const what = `${JSON.stringify(before)} to ${JSON.stringify(after)}`;
        return { what, object: { ...object, metadata: { ...object.metadata, resourceVersion } } };
      });
      await compare(mutations, {
        key: 'clusterUserDefinedNetworks',
        method: 'PUT',
        path: `${path}/blue`,
        old: cudn(before),
      });
      verdicts[JSON.stringify(before)] = mutations.map(
        ({ object }) => offlineVerdict('clusterUserDefinedNetworks', object, cudn(before)).isValid,
      );
      server.kubectl(['delete', 'cudn', 'blue']);
    }
    expect(verdicts).to.deep.equal({
      '{}': [true, true, false, false, false, true],
      '{"uplinks":[]}': [true, true, false, false, false, true],
      '{"uplinks":["blue"]}': [false, false, true, false, false, false],
    });
  });
});
