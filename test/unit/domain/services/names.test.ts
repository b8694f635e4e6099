import { expect } from 'chai';
import type { Service } from '../../../../src/domain/api/service.ts';
import type { Pod } from '../../../../src/domain/index.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import type { NamespaceNetwork } from '../../../../src/domain/services/namespace-network.ts';
import { familiesOf, namedPod, namesScope } from '../../../../src/domain/services/names.ts';
import { mirrorName, namesSliceName, placeOfName } from '../../../../src/domain/services/slices.ts';
import { attachedPod, service } from '../brief-services.ts';
import { blue as blueObject } from '../served-network.ts';

const blue = clusterNetwork(blueObject, { providedNetworks: 'all', egress: 'none' });
const ours: NamespaceNetwork = { kind: 'ours', network: blue, networkId: 1 };

/** A headless Service whose names lead to pods `app=db`. */
const db = (brief: Parameters<typeof service>[2] = {}) =>
  service('db', 'blue', { clusterIPs: ['None'], annotations: { 'ovn-uplinks/selector': 'app=db' }, ...brief });

/** A ready pod with an address of each family. */
const one = (spec: Partial<Pod['spec']> = {}, brief: Partial<Pod> = {}): Pod =>
  attachedPod('one', ['10.20.1.5/24', 'fd20:0:0:1::5/64'], {
    spec: { nodeName: 'worker-a', ...spec },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    ...brief,
  });

const named = (pod: Pod, of: Service = db()) => namedPod(pod, of, blue, 4);

describe('the names of a Service', () => {
  for (const [what, brief, found, kind] of [
    ['that is headless and has the annotation', {}, ours, 'led'],
    ['with an address', { clusterIPs: ['10.96.0.10'] }, ours, 'none'],
    ['with a selector as well', { selector: { app: 'db' } }, ours, 'none'],
    ['with an empty selector', { selector: {} }, ours, 'led'],
    ['without the annotation', { annotations: {} }, ours, 'none'],
    ['whose annotation is no selector', { annotations: { 'ovn-uplinks/selector': 'app=db=' } }, ours, 'invalid'],
    ['with an empty annotation', { annotations: { 'ovn-uplinks/selector': '' } }, ours, 'invalid'],
    ['of another proxy', { labels: { 'service.kubernetes.io/service-proxy-name': 'example' } }, ours, 'none'],
    ['that is being deleted', { deletionTimestamp: '2026-11-28T12:00:00Z' }, ours, 'undecided'],
    ['in the default network', {}, { kind: 'none' }, 'none'],
    ['in a network of others', {}, { kind: 'of-others', network: 'ClusterUserDefinedNetwork/red' }, 'none'],
    ['in a network that is being deleted', {}, { kind: 'undecided', why: 'being-deleted' }, 'undecided'],
    ['in a network without an id', {}, { ...ours, networkId: undefined }, 'undecided'],
  ] as const satisfies readonly (readonly [string, Parameters<typeof service>[2], NamespaceNetwork, string])[])
    it(`${what} are ${kind}`, () => {
      expect(namesScope(db(brief), found).kind).to.equal(kind);
    });

  it('lead to addresses of the families of the Service, or of both', () => {
    expect(
      [undefined, ['IPv6'], ['IPv6', 'IPv4'], []].map((ipFamilies) => familiesOf(db(ipFamilies && { ipFamilies }))),
    ).to.deep.equal([[4, 6], [6], [4, 6], []]);
  });
});

describe('a pod to which names lead', () => {
  it('has its address in the network, its node and itself', () => {
    expect(named(one())).to.deep.equal({
      endpoint: {
        addresses: ['10.20.1.5'],
        conditions: { ready: true, serving: true, terminating: false },
        targetRef: { kind: 'Pod', namespace: 'blue', name: 'one', uid: 'uid-one' },
        nodeName: 'worker-a',
      },
      ports: [],
    });
    expect(namedPod(one(), db(), blue, 6)?.endpoint.addresses).to.deep.equal(['fd20:0:0:1::5']);
  });

  for (const [what, pod] of [
    ['without an address', attachedPod('one', [])],
    ['with an address outside the network', attachedPod('one', ['192.0.2.1/24'])],
    ['in the network of its node', one({ hostNetwork: true })],
    ['that has ended', one({}, { status: { phase: 'Succeeded' } })],
  ] as const)
    it(`is none ${what}`, () => {
      expect(named(pod)).to.equal(undefined);
    });

  it('has its own name where its subdomain is the Service', () => {
    const hostname = (spec: Partial<Pod['spec']>) => named(one(spec))?.endpoint.hostname;
    expect(hostname({ hostname: 'db-0', subdomain: 'db' })).to.equal('db-0');
    for (const other of [
      { hostname: 'db-0' },
      { hostname: 'db-0', subdomain: 'web' },
      { subdomain: 'db' },
      { hostname: '', subdomain: 'db' },
    ])
      expect(hostname(other), JSON.stringify(other)).to.equal(undefined);
  });

  it('is ready as the pod is, until it is deleted, or always where the Service says so', () => {
    const deleted = { metadata: { ...one().metadata, deletionTimestamp: '2026-11-28T12:00:00Z' } };
    const notReady = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] } };
    const of = (brief: Partial<Pod>, isAlways = false) =>
      Object.entries(named(one({}, brief), db({ publishNotReadyAddresses: isAlways }))?.endpoint.conditions ?? {})
        .flatMap(([condition, is]) => (is ? [condition] : []))
        .join();
    expect(of(notReady)).to.equal('');
    expect(of({ status: { phase: 'Pending' } })).to.equal('');
    expect(of(deleted)).to.equal('serving,terminating');
    expect(of({ ...deleted, ...notReady })).to.equal('terminating');
    expect(of(notReady, true)).to.equal('ready');
    expect(of({ ...deleted, ...notReady }, true)).to.equal('ready,terminating');
  });

  it('has the ports of the Service, by number or by the name in a container that runs, and none that it does not have', () => {
    const pod = one({
      containers: [
        { ports: [{ containerPort: 1 }, { name: 'sql', containerPort: 5432, protocol: 'TCP' }] },
        { ports: [{ name: 'sql', containerPort: 2 }] },
        { ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }] },
      ],
      initContainers: [
        { ports: [{ name: 'init', containerPort: 3 }] },
        { ports: [{ name: 'side', containerPort: 9000 }], restartPolicy: 'Always' },
      ],
    });
    const ports = [
      { name: 'a', port: 80, targetPort: 8080, appProtocol: 'http' },
      { name: 'b', port: 81 },
      { name: 'c', port: 82, targetPort: 'sql' },
      { name: 'd', port: 83, targetPort: 'dns', protocol: 'UDP' },
      { name: 'e', port: 84, targetPort: 'dns', protocol: 'TCP' },
      { name: 'f', port: 85, targetPort: 'init' },
      { name: 'g', port: 86, targetPort: 'side' },
      { name: 'h', port: 87, targetPort: 'missing' },
    ];
    expect(named(pod, db({ ports }))?.ports).to.deep.equal([
      { name: 'a', protocol: 'TCP', port: 8080, appProtocol: 'http' },
      { name: 'b', protocol: 'TCP', port: 81 },
      { name: 'c', protocol: 'TCP', port: 5432 },
      { name: 'd', protocol: 'UDP', port: 53 },
      { name: 'g', protocol: 'TCP', port: 9000 },
    ]);
    expect(named(pod, db({ ports: [{ port: 80 }] }))?.ports).to.deep.equal([{ name: '', protocol: 'TCP', port: 80 }]);
  });
});

describe('the name of a slice of names', () => {
  it('follows from the Service, the family and the number, and these from it', () => {
    const place = { service: 'db', family: 6, number: 12 } as const;
    expect(namesSliceName(place)).to.equal('ovn-uplinks.db.ipv6-12');
    expect(placeOfName('ovn-uplinks.db.ipv6-12')).to.deep.equal(place);
    const long = { service: 's'.repeat(63), family: 4, number: 1 } as const;
    expect(placeOfName(namesSliceName(long))).to.deep.equal(long);
  });

  for (const name of [
    'ovn-uplinks.db.ipv4-0',
    'ovn-uplinks.db.ipv4-01',
    'ovn-uplinks.db.ipv5-1',
    'ovn-uplinks.a.b.ipv4-1',
    'ovn-uplinks.db.ipv4-1234567',
    'a.ovn-uplinks.db.ipv4-1',
    mirrorName('x.db.ipv4-1'),
  ])
    it(`is not ${name}`, () => {
      expect(placeOfName(name)).to.equal(undefined);
    });
});
