import { expect } from 'chai';
import type { Endpoint, EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import type { Service, ServicePort } from '../../../../src/domain/api/service.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import {
  chooseEndpoints,
  type EndpointUse,
  endpointJudge,
  placeOf,
} from '../../../../src/domain/services/endpoint-choice.ts';
import { network, node } from '../brief-objects.ts';
import { attachedPod, endpointOf, mirrorsOf, service, slice } from '../brief-services.ts';

const blue = clusterNetwork(
  network('blue', {
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

const podNames = ['one', 'two', 'three'] as const;
const pods = podNames.map((name, at) =>
  attachedPod(name, [`10.20.1.${String(at + 1)}/24`, `fd20::${String(at + 1)}/64`]),
);

const http: ServicePort = { name: 'http', protocol: 'TCP', port: 80 };
const ports = [{ name: 'http', protocol: 'TCP', port: 8080 }];
const here = { name: 'worker-a', zone: 'east' };

/** EndpointSlices of Service `web`, with their mirrors unless others are given. */
interface Situation {
  readonly of?: Service;
  readonly sources: readonly EndpointSlice[];
  readonly mirrors?: readonly EndpointSlice[];
  readonly port?: ServicePort;
  readonly family?: 4 | 6;
}

function inputOf({
  of = service('web', 'blue'),
  sources,
  mirrors = mirrorsOf(blue, sources, pods),
  family = 4,
}: Situation) {
  return { slices: { service: of, sources, mirrors }, network: blue, family, node: here };
}

function chosen(situation: Situation): readonly string[] {
  const { port = http } = situation;
  return chooseEndpoints({ ...inputOf(situation), port }).map((each) => `${each.address} ${String(each.port)}`);
}

const uses = (situation: Situation): readonly EndpointUse[] =>
  endpointJudge(inputOf(situation))(situation.port ?? http).map(({ use }) => use);

const sliceOf = (endpoints: readonly Endpoint[], name = 'web-1', brief: Parameters<typeof slice>[3] = {}) =>
  slice(name, 'blue', 'web', { ports, endpoints, ...brief });

const ready = { ready: true, serving: true, terminating: false };
const unready = { ready: false, serving: false, terminating: false };
const leaving = { ready: false, serving: true, terminating: true };
const stopped = { ready: false, serving: false, terminating: true };
const elsewhere = { nodeName: 'worker-b' };
const forZone = (...names: readonly string[]) => ({ hints: { forZones: names.map((name) => ({ name })) } });
const forNode = (...names: readonly string[]) => ({ hints: { forNodes: names.map((name) => ({ name })) } });
const local = service('web', 'blue', { internalTrafficPolicy: 'Local' });

/** Endpoints of the pods one, two and three, as far as they are described. */
const endpointsOf = (briefs: readonly Partial<Endpoint>[]) =>
  briefs.map((brief, at) => endpointOf(podNames[at] ?? '', brief));

describe('the endpoints of a Service on a node', () => {
  for (const { which, of, endpoints, expected } of [
    { which: 'are all that are ready', endpoints: [{}, elsewhere], expected: ['used', 'used'] },
    { which: 'are ready where nothing else is said', endpoints: [{ conditions: {} }], expected: ['used'] },
    {
      which: 'are those alone that are ready',
      endpoints: [{ conditions: ready }, { conditions: unready }, { conditions: leaving }],
      expected: ['used', 'not-ready', 'terminating'],
    },
    {
      which: 'are those that still serve where none is ready',
      endpoints: [{ conditions: unready }, { conditions: leaving }, { conditions: stopped }],
      expected: ['not-ready', 'used', 'not-ready'],
    },
    {
      which: 'serve while they terminate where nothing else is said',
      endpoints: [{ conditions: { ready: false, terminating: true } }],
      expected: ['used'],
    },
    {
      which: 'are all where the Service publishes those that are not ready',
      of: service('web', 'blue', { publishNotReadyAddresses: true }),
      endpoints: [{ conditions: unready }, { conditions: stopped }],
      expected: ['used', 'used'],
    },
    {
      which: 'are those for the zone',
      endpoints: [forZone('east'), forZone('west', 'east'), forZone('west')],
      expected: ['used', 'used', 'hint'],
    },
    { which: 'are all where one is for no zone', endpoints: [forZone('west'), {}], expected: ['used', 'used'] },
    {
      which: 'are all where one has an empty list of zones',
      endpoints: [forZone('east'), forZone()],
      expected: ['used', 'used'],
    },
    {
      which: 'are all where none is for the zone',
      endpoints: [forZone('west'), forZone('nowhere')],
      expected: ['used', 'used'],
    },
    {
      which: 'are those for the zone where one that is not ready is for none',
      endpoints: [forZone('east'), forZone('west'), { conditions: unready }],
      expected: ['used', 'hint', 'not-ready'],
    },
    {
      which: 'are those for the node before those for its zone',
      endpoints: [
        { hints: { forNodes: [{ name: 'worker-a' }], forZones: [{ name: 'east' }] } },
        { hints: { forNodes: [{ name: 'worker-b' }], forZones: [{ name: 'east' }] } },
      ],
      expected: ['used', 'hint'],
    },
    {
      which: 'are those for the zone where none is for the node',
      endpoints: [
        { hints: { forNodes: [{ name: 'worker-b' }], forZones: [{ name: 'east' }] } },
        { hints: { forNodes: [{ name: 'worker-c' }], forZones: [{ name: 'west' }] } },
      ],
      expected: ['used', 'hint'],
    },
    {
      which: 'are all where one is for no node',
      endpoints: [forNode('worker-a'), {}],
      expected: ['used', 'used'],
    },
    {
      which: 'are all that still serve, whatever they are for',
      endpoints: [
        { conditions: leaving, ...forZone('east') },
        { conditions: leaving, ...forZone('west') },
      ],
      expected: ['used', 'used'],
    },
    {
      which: 'are those on the node where only they are for the Service',
      of: local,
      endpoints: [{}, elsewhere],
      expected: ['used', 'not-local'],
    },
    {
      which: 'are none where none is on the node and only such are for the Service',
      of: local,
      endpoints: [elsewhere, elsewhere],
      expected: ['not-local', 'not-local'],
    },
    {
      which: 'still serve on the node while others are ready elsewhere',
      of: local,
      endpoints: [{ conditions: leaving }, elsewhere],
      expected: ['used', 'not-local'],
    },
    {
      which: 'are those on the node whatever zone they are for',
      of: local,
      endpoints: [forZone('west'), forZone('east')],
      expected: ['used', 'used'],
    },
    {
      which: 'are all by a policy that is not known',
      of: service('web', 'blue', { internalTrafficPolicy: 'Later' }),
      endpoints: [{}, elsewhere],
      expected: ['used', 'used'],
    },
  ] satisfies readonly {
    which: string;
    of?: Service;
    endpoints: readonly Partial<Endpoint>[];
    expected: readonly EndpointUse[];
  }[])
    it(which, () => {
      expect(uses({ ...(of && { of }), sources: [sliceOf(endpointsOf(endpoints))] })).to.deep.equal(expected);
    });

  it('without a node are none of its own', () => {
    const { nodeName: _nodeName, ...anywhere } = endpointOf('one');
    expect(uses({ of: local, sources: [sliceOf([anywhere])] })).to.deep.equal(['not-local']);
  });

  it('are for no zone where the node has none', () => {
    const input = inputOf({ sources: [sliceOf(endpointsOf([forZone('east'), forZone('')]))] });
    const judge = endpointJudge({ ...input, node: placeOf(node('worker-a')) });
    expect(judge(http).map(({ use }) => use)).to.deep.equal(['used', 'used']);
    expect(placeOf(node('worker-a', { labels: { 'topology.kubernetes.io/zone': 'east' } }))).to.deep.equal(here);
  });

  it('are sorted by address and port, each once', () => {
    const [one, two] = endpointsOf([{}, {}]);
    const sources = [
      sliceOf([two!, one!], 'web-1', { ports: [{ ...ports[0], port: 9090 }] }),
      sliceOf([two!], 'web-2'),
      sliceOf([one!, two!], 'web-3'),
    ];
    expect(chosen({ sources })).to.deep.equal(['10.20.1.1 8080', '10.20.1.1 9090', '10.20.1.2 8080', '10.20.1.2 9090']);
  });

  it('are ready where one of two slices says so', () => {
    const sources = [
      sliceOf([endpointOf('one', { conditions: unready })], 'web-1'),
      sliceOf([endpointOf('one', { conditions: ready })], 'web-2'),
      sliceOf([endpointOf('two', { conditions: leaving })], 'web-3'),
    ];
    expect(chosen({ sources })).to.deep.equal(['10.20.1.1 8080']);
  });

  it('are all of a hundred and one in a slice, and those on nodes that nobody knows', () => {
    const written = Array.from({ length: 101 }, (_, at) => ({ addresses: [`10.20.2.${String(at + 1)}`] }));
    expect(chosen({ sources: [sliceOf(written)] })).to.have.length(101);
    expect(chosen({ sources: [sliceOf([endpointOf('one', { nodeName: 'of-nobody' })])] })).to.deep.equal([
      '10.20.1.1 8080',
    ]);
  });

  it('have the addresses of a family', () => {
    const sources = [sliceOf(endpointsOf([{}])), sliceOf(endpointsOf([{}, {}]), 'web-6', { addressType: 'IPv6' })];
    expect(chosen({ sources })).to.deep.equal(['10.20.1.1 8080']);
    expect(chosen({ sources, family: 6 })).to.deep.equal(['fd20::1 8080', 'fd20::2 8080']);
  });
});

describe('a port of a Service', () => {
  for (const { which, port = http, at, expected } of [
    { which: 'is that of its name', at: [{ name: 'other', port: 1 }, ...ports], expected: [8080] },
    { which: 'is that of its protocol', at: [{ name: 'http', protocol: 'UDP', port: 53 }, ...ports], expected: [8080] },
    { which: 'has no name where there is one', port: { port: 80 }, at: [{ name: '', port: 8080 }], expected: [8080] },
    { which: 'has no name and no protocol', port: { port: 80 }, at: [{ port: 8080 }], expected: [8080] },
    { which: 'has several numbers', at: [...ports, { name: 'http', port: 80 }, ...ports], expected: [80, 8080] },
    { which: 'is nowhere without a number', at: [{ name: 'http' }], expected: [] },
    { which: 'is nowhere at 0', at: [{ name: 'http', port: 0 }], expected: [] },
    { which: 'is nowhere at 65536', at: [{ name: 'http', port: 65_536 }], expected: [] },
    { which: 'is nowhere where no slice has its name', at: [{ name: 'https', port: 443 }], expected: [] },
    { which: 'is nowhere where a slice has no ports', at: [], expected: [] },
    { which: 'is nowhere where a slice has null for them', at: null, expected: [] },
  ] satisfies readonly { which: string; port?: ServicePort; at: EndpointSlice['ports']; expected: readonly number[] }[])
    it(which, () => {
      const sources = [sliceOf(endpointsOf([{}]), 'web-1', { ports: at ?? null })];
      expect(chosen({ sources, port })).to.deep.equal(expected.map((number) => `10.20.1.1 ${String(number)}`));
      if (expected.length === 0) expect(uses({ sources, port })).to.deep.equal(['no-port']);
    });
});

describe('an endpoint and its mirror', () => {
  const source = sliceOf(endpointsOf([{}, {}]));
  const mirrors = mirrorsOf(blue, [source], pods);
  const mirror = mirrors[0]!;

  it('have the readiness of the slice, whatever the mirror still says', () => {
    const changed = sliceOf(endpointsOf([{ conditions: unready }, {}]));
    expect(uses({ sources: [changed], mirrors })).to.deep.equal(['not-ready', 'used']);
  });

  it('are gone with the endpoint in the slice', () => {
    expect(chosen({ sources: [sliceOf(endpointsOf([{}]))], mirrors })).to.deep.equal(['10.20.1.1 8080']);
  });

  it('are not used without an address in a mirror', () => {
    expect(uses({ sources: [source], mirrors: mirrorsOf(blue, [source], pods.slice(1)) })).to.deep.equal([
      'unmapped',
      'used',
    ]);
    expect(uses({ sources: [source], mirrors: [] })).to.deep.equal(['unmapped', 'unmapped']);
  });

  it('leave those to be used that terminate while the one that is ready has no address yet', () => {
    const changing = sliceOf(endpointsOf([{}, { conditions: leaving }]));
    const situation = { sources: [changing], mirrors: mirrorsOf(blue, [changing], pods.slice(1)) };
    expect(uses(situation)).to.deep.equal(['unmapped', 'used']);
  });

  it('are not used for another pod of the name', () => {
    const targetRef = { kind: 'Pod', namespace: 'blue', name: 'one', uid: 'uid-later' };
    expect(uses({ sources: [sliceOf([endpointOf('one', { targetRef })])], mirrors })).to.deep.equal(['unmapped']);
  });

  it('are as the mirror says where its slice is not known', () => {
    expect(chosen({ sources: [], mirrors })).to.deep.equal(['10.20.1.1 8080', '10.20.1.2 8080']);
    const other = sliceOf([endpointOf('one', { conditions: unready })], 'web-2');
    expect(chosen({ sources: [other], mirrors })).to.deep.equal(['10.20.1.2 8080']);
  });

  it('are gone with a slice that the node would see, whatever its mirror still says', () => {
    const labels = { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' };
    const visible = sliceOf(endpointsOf([{}, {}]), 'web-1', { labels });
    const stale = mirrorsOf(blue, [visible], pods);
    expect(chosen({ sources: [visible], mirrors: stale })).to.have.length(2);
    expect(chosen({ sources: [], mirrors: stale })).to.deep.equal([]);
    const moved = sliceOf([endpointOf('one')], 'web-2');
    expect(chosen({ sources: [moved], mirrors: stale })).to.deep.equal(['10.20.1.1 8080']);
  });

  it('stay there while a slice gets another name', () => {
    const renamed = sliceOf(endpointsOf([{}, {}]), 'web-2');
    for (const sources of [[source], [source, renamed], [renamed]])
      expect(chosen({ sources, mirrors })).to.have.length(2);
  });

  it('are in the network', () => {
    for (const address of ['192.0.2.1', '10.21.0.1', '::ffff:10.20.1.1', 'web.example.org', '']) {
      const edited = { ...mirror, endpoints: [endpointOf('one', { addresses: [address] })] };
      expect(uses({ sources: [source], mirrors: [edited] }), address).to.deep.equal(['outside', 'unmapped']);
    }
  });

  it('have an address in the usual form', () => {
    const written = sliceOf([{ addresses: ['FD20:0::A'] }], 'web-6', { addressType: 'IPv6' });
    expect(chosen({ sources: [written], family: 6 })).to.deep.equal(['fd20::a 8080']);
  });

  it('have the least address where two mirrors of a moved endpoint differ, and that of its own', () => {
    const at = (name: string, address: string) =>
      mirrorsOf(blue, [sliceOf([endpointOf('one')], name)], [attachedPod('one', [`${address}/24`])])[0]!;
    const both = [at('web-8', '10.20.1.10'), at('web-9', '10.20.1.9')];
    expect(chosen({ sources: [sliceOf([endpointOf('one')])], mirrors: both })).to.deep.equal(['10.20.1.9 8080']);
    expect(chosen({ sources: [sliceOf([endpointOf('one')], 'web-8')], mirrors: both })).to.deep.equal([
      '10.20.1.10 8080',
    ]);
  });

  it('are used once for what a user writes, at what is in the network', () => {
    const written = sliceOf([{ addresses: ['192.0.2.1', '10.20.1.9'] }, { addresses: ['192.0.2.2'] }]);
    expect(chosen({ sources: [written] })).to.deep.equal(['10.20.1.9 8080']);
    expect(uses({ sources: [written] })).to.deep.equal(['used', 'unmapped']);
  });

  for (const { what, changed } of [
    { what: 'another Service', changed: { labels: { ...mirror.metadata.labels, 'k8s.ovn.org/service-name': 'db' } } },
    { what: 'another namespace', changed: { namespace: 'red' } },
    {
      what: 'another network',
      changed: {
        annotations: { ...mirror.metadata.annotations, 'k8s.ovn.org/endpointslice-network': 'cluster_udn_red' },
      },
    },
    { what: 'another author', changed: { labels: { 'k8s.ovn.org/service-name': 'web' } } },
  ])
    it(`are not used by a mirror of ${what}`, () => {
      const foreign = { ...mirror, metadata: { ...mirror.metadata, ...changed } };
      expect(chosen({ sources: [source], mirrors: [foreign] })).to.deep.equal([]);
      expect(chosen({ sources: [], mirrors: [foreign] })).to.deep.equal([]);
    });

  it('are not used by a slice of another Service, namespace, or of names', () => {
    const foreign = [
      slice('a', 'blue', 'db', { endpoints: source.endpoints!, ports }),
      slice('b', 'red', 'web', { endpoints: source.endpoints!, ports }),
      slice('c', 'blue', 'web', { endpoints: source.endpoints!, ports, addressType: 'FQDN' }),
    ];
    expect(uses({ sources: foreign, mirrors: [] })).to.deep.equal([]);
  });

  it('have nothing for slices that are empty', () => {
    const empty = slice('web-1', 'blue', 'web', { endpoints: null, ports: null });
    expect(chosen({ sources: [empty] })).to.deep.equal([]);
    expect(chosen({ sources: [sliceOf([{ addresses: [] }])] })).to.deep.equal([]);
  });
});
