import { expect } from 'chai';
import { checkWholeObject } from '../../../src/adapters/validation/check-object.ts';
import { dropNullFields } from '../../../src/adapters/manifests/null-fields.ts';
import type { JsonObject } from '../../../src/adapters/json/json-object.ts';
import {
  customResourceDefinitions,
  definitionSchemaOf,
} from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import type { CelRule } from '../../../src/domain/api/schema.ts';
import { type KindKey, kinds } from '../../../src/domain/api/kinds.ts';
import { TestApiServer } from './api-server.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { ObjectRequests } from './object-requests.ts';
import { kindsServed } from './served-config.ts';
import { metadata, networks, state, uplink } from './whole-objects.ts';

/** The findings on an object: none, if it is valid. */
interface Verdict {
  readonly isValid: boolean;
  /** Paths of the fields that are named, sorted; none where a decoder fails at once. */
  readonly fields: readonly string[];
  /** Whether there may be more to say, since CEL rules were not evaluated. */
  readonly isPartial: boolean;
}

/** The field of a cause; of a fraction in the place of an integer a second cause names it in its message alone. */
function fieldOf({ field = '', message }: { readonly field?: string; readonly message: string }): string {
  return field === '<nil>' ? (/^Invalid value: "": Checked value .* in (\S+)$/.exec(message)?.[1] ?? field) : field;
}

const each = (fields: readonly string[]) => [...new Set(fields)].sort();

/** A path with keys of maps as the API server writes them. */
const plainPath = (path: string) =>
  path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, (_, key: string) => `.${JSON.parse(`"${key}"`) as string}`);

/** The verdict of `validate` on an object. */
function offlineVerdict(key: KindKey, object: object, old?: object): Verdict {
  const copy = structuredClone(object);
  dropNullFields(copy);
  const findings = checkWholeObject(key, copy as JsonObject, old as JsonObject | undefined);
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

/** Texts that are subnets, or nearly. */
const oddSubnets = [
  ...['10.20.0.0/16', '10.20.0.1/16', '10.20.0.0/0', '10.20.0.0/32', '10.20.0.0/33', '10.20.0.0/016', '10.20.0.0/+16'],
  ...[
    '10.20.0.0',
    '10.20.0.0/',
    '/16',
    '10.20/16',
    '010.20.0.0/16',
    '0x0a.20.0.0/16',
    '10.20.0.256/16',
    ' 10.20.0.0/16',
  ],
  ...['10.20.0.0/16 ', '10.20.0.0/16/16', '10.20.0.0/255.255.0.0', '0.0.0.0/0', '::/0', 'fd20::/48', 'FD20::/48'],
  ...['fd20::1/48', 'fd20::/128', 'fd20::/129', 'fd20:::/48', 'fd20::%eth0/48', '[fd20::]/48', '1:2:3:4:5:6:7:8/64'],
  ...[
    '1:2:3:4:5:6:7::/64',
    '1:2:3:4:5:6:7:8::/64',
    '1:2:3:4:5:6:7:8:9/64',
    '1::2::3/64',
    '::ffff:10.0.0.0/112',
    '::ffff:a00:0/112',
  ],
  ...[
    '64:ff9b::192.0.2.0/120',
    '64:ff9b::192.0.2.00/120',
    '::192.0.2.0/120',
    '12345::/48',
    'fd20::/-1',
    'fd20::/4 8',
    'fd2g::/48',
  ],
  // Unspecified, loopback, link-local and multicast addresses, and their neighbours.
  ...[
    '0.0.0.0/32',
    '1.0.0.0/8',
    '127.0.0.1/32',
    '126.0.0.0/7',
    '128.0.0.0/1',
    '169.254.7.1/24',
    '168.0.0.0/7',
    '170.0.0.0/8',
  ],
  ...['224.0.0.0/24', '239.0.0.0/8', '223.0.0.0/8', '240.0.0.0/8', '::1/128', '::/79', '::1:0:0:0/80', '::fffe:0:0/95'],
  ...['fe80::1/64', 'febf::/16', 'fec0::/16', 'fe00::/8', 'fc00::/6', 'ff02::1/16', 'ff00::/8', 'f000::/4'],
];

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
  let requests: ObjectRequests;
  /** The objections of the API server to objects, each once. */
  const messages = new Set<string>();

  before(async () => {
    server = await TestApiServer.start();
    requests = new ObjectRequests(server);
    server.apply(...customResourceDefinitions());
    await kindsServed(server);
  });

  after(async () => {
    requests.close();
    await server.stop();
  });

  /** The API server's verdict on an object. The server names unknown fields alone, if there are any: then it is asked for the rest as well. */
  async function verdictOf(method: string, path: string, object: object): Promise<Verdict> {
    const strict = await requests.send(method, `${path}?dryRun=All&fieldValidation=Strict`, object);
    if (strict.code < 300) return { isValid: true, fields: [], isPartial: false };
    const unknown = [...(strict.status.message ?? '').matchAll(/unknown field "([^"]*)"/g)].map(
      ([, field = '']) => field,
    );
    const { code, status } =
      unknown.length === 0 ? strict : await requests.send(method, `${path}?dryRun=All&fieldValidation=Ignore`, object);
    expect(code, status.message).to.be.oneOf([200, 201, 400, 422]);
    const causes = status.details?.causes ?? [];
    for (const { message } of causes) messages.add(message);
    const notChecked = causes.filter(({ message }) => message.includes('some validation rules were not checked'));
    const named = causes.filter((cause) => !notChecked.includes(cause)).map(fieldOf);
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
    const mutations = ['spec', 'metadata.name'].flatMap((part) => mutationsOf(kinds.uplinks.schema, uplink, part, 300));
    const path = '/apis/k8s.ovn.org/v1alpha1/uplinks';
    const { objects, valid } = await compare(mutations, { key: 'uplinks', method: 'POST', path });
    expect(objects).to.be.above(1000);
    expect(valid).to.be.within(100, objects - 300);
  });

  it('agree on statuses of UplinkStates, and name the same fields', async () => {
    const path = '/apis/k8s.ovn.org/v1alpha1/uplinkstates';
    const { apiVersion, kind } = state;
    const { status } = await requests.send('POST', path, { apiVersion, kind, metadata });
    const stored = { ...state, metadata: { ...metadata, resourceVersion: status.metadata?.resourceVersion } };
    const mutations = [...mutationsOf(kinds.uplinkStates.schema, stored, 'status', 500), ...readyStates(stored)];
    const { objects, valid } = await compare(mutations, {
      key: 'uplinkStates',
      method: 'PUT',
      path: `${path}/blue/status`,
    });
    expect(objects).to.be.above(2500);
    expect(valid).to.be.within(500, objects - 500);
  });

  /** Changes of networks of the kinds before. */
  const changed = new Set<string>();

  for (const [what, network] of Object.entries(networks)) {
    it(`agree on new networks like one ${what}, and name the same fields`, async () => {
      const schema = definitionSchemaOf('clusterUserDefinedNetworks');
      const path = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
      // Every third of those that another kind has had: a field by itself is judged alike in each.
      const some = mutationsOf(schema, network, 'spec', 300).filter(
        (mutation, index) => !changed.has(mutation.what) || index % 3 === 0,
      );
      for (const mutation of some) changed.add(mutation.what);
      const mutations = [{ what: 'unchanged', object: network }, ...some];
      const { objects, valid } = await compare(mutations, { key: 'clusterUserDefinedNetworks', method: 'POST', path });
      process.stdout.write(`      ${objects} objects, ${valid} of them valid\n`);
      expect(offlineVerdict('clusterUserDefinedNetworks', network).isValid).to.equal(true);
      expect(objects).to.be.above(400);
      expect(valid).to.be.within(20, objects - 200);
    });
  }

  it('agree on UserDefinedNetworks and their changes, and name the same fields', async () => {
    const path = '/apis/k8s.ovn.org/v1/namespaces/default/userdefinednetworks';
    const schema = definitionSchemaOf('userDefinedNetworks');
    for (const { spec } of [networks['of topology Layer3 with uplinks'], networks['of topology Layer2']]) {
      const { transport: _, ...network } = spec.network as { readonly transport?: string };
      const named = { namespace: 'default', name: 'blue' };
      const object = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata: named, spec: network };
      const some = mutationsOf(schema, object, 'spec', 300).filter((_each, index) => index % 3 === 0);
      const created = await compare(some, { key: 'userDefinedNetworks', method: 'POST', path });
      expect(created.objects).to.be.above(100);
      expect(created.valid).to.be.above(5);
      const { status } = await requests.send('POST', path, object);
      const stored = { ...object, metadata: { ...named, resourceVersion: status.metadata!.resourceVersion } };
      const changes = mutationsOf(schema, stored, 'spec', 60).filter((_each, index) => index % 3 === 0);
      const where = { key: 'userDefinedNetworks', method: 'PUT', path: `${path}/blue`, old: object } as const;
      await compare([{ what: 'unchanged', object: stored }, ...changes], where);
      server.kubectl(['delete', 'udn', 'blue']);
    }
  });

  it('agree on subnets', async () => {
    const path = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
    const subnetsOf = (subnets: readonly string[]) => {
      const network = { topology: 'Layer2', layer2: { role: 'Primary', mtu: 1400, subnets } };
      return { what: subnets.join(' '), object: { ...cudn({}), spec: { namespaceSelector: {}, network } } };
    };
    const mutations = [
      ...oddSubnets.map((odd) => [odd]),
      ...oddSubnets.flatMap((odd) => [
        ['10.20.0.0/16', odd],
        [odd, 'fd20::/48'],
      ]),
    ].map(subnetsOf);
    const { valid } = await compare(mutations, { key: 'clusterUserDefinedNetworks', method: 'POST', path });
    expect(valid).to.be.within(10, mutations.length - 10);
  });

  it('agree on changes of a network: it is immutable, and so is what may be left out', async () => {
    const path = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
    const schema = definitionSchemaOf('clusterUserDefinedNetworks');
    for (const network of [networks['of topology Layer3 with uplinks'], networks['of topology Layer2']]) {
      const { status } = await requests.send('POST', path, network);
      const stored = { ...network, metadata: { ...metadata, resourceVersion: status.metadata!.resourceVersion } };
      // Every third: two of the same field differ in little.
      const some = mutationsOf(schema, stored, 'spec', 100).filter((_, index) => index % 3 === 0);
      const mutations = [{ what: 'unchanged', object: stored }, ...some];
      const where = { key: 'clusterUserDefinedNetworks', method: 'PUT', path: `${path}/blue`, old: network } as const;
      const { valid } = await compare(mutations, where);
      expect(valid).to.be.above(20);
      server.kubectl(['delete', 'cudn', 'blue']);
    }
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
      const { status } = await requests.send('POST', path, cudn(before));
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

  it('agree that networks with EVPN have no uplinks', async () => {
    const evpn = networks['of topology Layer3 with EVPN'];
    const objects = [[], ['blue']].map((uplinks) => ({
      what: JSON.stringify(uplinks),
      object: { ...evpn, spec: { ...evpn.spec, uplinks } },
    }));
    const path = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
    const { valid } = await compare(objects, { key: 'clusterUserDefinedNetworks', method: 'POST', path });
    expect(valid).to.equal(1);
  });

  it('have met an object that violates each CEL rule', () => {
    const said = [...messages];
    const unmet = customResourceDefinitions()
      .flatMap(({ spec }) => rulesIn(spec))
      .filter(({ message }) => !said.some((each) => each.includes(message)))
      .map(({ rule }) => rule);
    expect(unmet).to.deep.equal([]);
  });
});

/** The CEL rules in a schema, wherever they are. */
function rulesIn(value: unknown): readonly CelRule[] {
  if (typeof value !== 'object' || value === null) return [];
  const { 'x-kubernetes-validations': rules = [], ...rest } = value as { 'x-kubernetes-validations'?: CelRule[] };
  return [...rules, ...Object.values(rest).flatMap(rulesIn)];
}
