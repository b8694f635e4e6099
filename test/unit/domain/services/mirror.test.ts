import { expect } from 'chai';
import type { Endpoint, EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import type { Pod } from '../../../../src/domain/index.ts';
import { endpointVerdict, mirrorOf } from '../../../../src/domain/services/mirror.ts';
import { isMirror, mirrorName, serviceOfSource } from '../../../../src/domain/services/slices.ts';
import { network } from '../brief-objects.ts';
import { attachedPod, endpointOf, slice } from '../brief-services.ts';

const blue = clusterNetwork(
  network('blue', {
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

const inputOf = (source: EndpointSlice, pods: readonly Pod[] = []) => ({
  source,
  network: blue,
  networkId: 7,
  pod: (name: string) => pods.find(({ metadata }) => metadata.name === name),
});

const sourceOf = (endpoints: readonly Endpoint[] | null, brief: Parameters<typeof slice>[3] = {}) =>
  slice('web-x1', 'blue', 'web', { uid: 'uid-web-x1', endpoints, ...brief });

/** The addresses that the mirror of a slice has. */
const addresses = (source: EndpointSlice, pods: readonly Pod[] = []) =>
  mirrorOf(inputOf(source, pods)).endpoints.map((endpoint) => endpoint.addresses.join());

describe('the mirror of an EndpointSlice', () => {
  it('is the slice with addresses of the network, and belongs to it', () => {
    const source = sourceOf([endpointOf('one', { zone: 'a', hints: { forZones: [{ name: 'a' }] }, hostname: 'one' })], {
      ports: [{ name: 'http', protocol: 'TCP', port: 8080, appProtocol: 'http' }],
      labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
    });
    const mirror = mirrorOf(inputOf(source, [attachedPod('one', ['10.20.1.5/24', 'fd20:0:0:1::5/64'])]));
    expect(mirror).to.deep.equal({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        namespace: 'blue',
        name: 'ovn-uplinks-web-x1',
        labels: {
          'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks',
          'k8s.ovn.org/service-name': 'web',
          'service.kubernetes.io/service-proxy-name': 'ovn-uplinks',
          'ovn-uplinks/network': '7',
        },
        annotations: {
          'k8s.ovn.org/source-endpointslice': 'web-x1',
          'k8s.ovn.org/endpointslice-network': 'cluster_udn_blue',
          'ovn-uplinks/proxy-of-source': '',
        },
        ownerReferences: [
          { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', name: 'web-x1', uid: 'uid-web-x1' },
        ],
      },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.20.1.5'],
          conditions: { ready: true },
          hostname: 'one',
          targetRef: { kind: 'Pod', namespace: 'blue', name: 'one', uid: 'uid-one' },
          nodeName: 'worker-a',
          zone: 'a',
          hints: { forZones: [{ name: 'a' }] },
        },
      ],
      ports: [{ name: 'http', protocol: 'TCP', port: 8080, appProtocol: 'http' }],
    });
    expect(isMirror(mirror as EndpointSlice)).to.equal(true);
    expect(serviceOfSource(mirror as EndpointSlice)).to.equal(undefined);
  });

  it('says which proxy its slice is labelled for', () => {
    const labels = { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' };
    const { annotations } = mirrorOf(inputOf(sourceOf([], { labels }))).metadata;
    expect(annotations['ovn-uplinks/proxy-of-source']).to.equal('ovn-uplinks');
  });

  it('has addresses of the family of the slice', () => {
    const pods = [attachedPod('one', ['10.20.1.5/24', 'fd20:0:0:1::5/64'])];
    expect(addresses(sourceOf([endpointOf('one')], { addressType: 'IPv6' }), pods)).to.deep.equal(['fd20:0:0:1::5']);
  });

  it('has all other endpoints where one cannot be found', () => {
    const endpoints = ['one', 'two', 'three'].map((name) => endpointOf(name));
    const pods = [attachedPod('one', ['10.20.1.5/24']), attachedPod('two', []), attachedPod('three', ['10.20.2.5/24'])];
    expect(addresses(sourceOf(endpoints), pods)).to.deep.equal(['10.20.1.5', '10.20.2.5']);
  });

  it('has what users write in the network, and pods beside it', () => {
    const written: Endpoint = { addresses: ['10.20.9.9'] };
    const outside: Endpoint = { addresses: ['192.0.2.1'] };
    const source = sourceOf([written, outside, endpointOf('one')]);
    const { endpoints } = mirrorOf(inputOf(source, [attachedPod('one', ['10.20.1.5/24'])]));
    expect(endpoints.map((endpoint) => endpoint.addresses)).to.deep.equal([['10.20.9.9'], ['10.20.1.5']]);
    expect(endpoints[0]?.conditions).to.deep.equal({});
  });

  it('has two pods of one address, as a restored node may have them', () => {
    const pods = ['one', 'two'].map((name) => attachedPod(name, ['10.20.1.5/24']));
    expect(addresses(sourceOf([endpointOf('one'), endpointOf('two')]), pods)).to.deep.equal(['10.20.1.5', '10.20.1.5']);
  });

  it('is empty for an empty slice', () => {
    for (const nothing of [[], null]) {
      const { endpoints, ports } = mirrorOf(inputOf(sourceOf(nothing, { ports: null })));
      expect({ endpoints, ports }).to.deep.equal({ endpoints: [], ports: [] });
    }
  });

  it('has ports as API servers store them', () => {
    const { ports } = mirrorOf(inputOf(sourceOf([], { ports: [{ port: 80 }, { name: 'any' }] })));
    expect(ports).to.deep.equal([
      { name: '', protocol: 'TCP', port: 80 },
      { name: 'any', protocol: 'TCP' },
    ]);
  });

  it('is one for each slice, with a name that an object can have', () => {
    expect(mirrorName('web-x1')).to.equal('ovn-uplinks-web-x1');
    expect(mirrorName('a'.repeat(241))).to.equal(`ovn-uplinks-${'a'.repeat(241)}`);
    const long = (end: string) => mirrorName(`${'a'.repeat(245)}${end}`);
    expect(long('b'))
      .to.match(/^ovn-uplinks-a{188}-[0-9a-f]{16}$/)
      .and.not.to.equal(long('c'));
    // A part of a name begins and ends with a letter or a digit.
    expect(mirrorName(`${'a'.repeat(185)}.-b.${'c'.repeat(60)}`)).to.match(/^ovn-uplinks-a{185}\.-b-[0-9a-f]{16}$/);
    expect(mirrorName(`${'a'.repeat(187)}.${'c'.repeat(60)}`)).to.match(/^ovn-uplinks-a{187}-[0-9a-f]{16}$/);
  });
});

describe('an endpoint', () => {
  const running = attachedPod('one', ['10.20.1.5/24']);
  const other = { kind: 'Pod', namespace: 'blue', name: 'one', uid: 'former' };
  for (const { which, endpoint = endpointOf('one'), pods = [running], expected } of [
    { which: 'whose pod is attached', expected: '10.20.1.5' },
    {
      which: 'that names its pod without a uid',
      endpoint: endpointOf('one', { targetRef: { kind: 'Pod', name: 'one' } }),
      expected: '10.20.1.5',
    },
    { which: 'whose pod is gone', pods: [], expected: 'PodNotFound' },
    { which: 'whose pod has another uid', endpoint: endpointOf('one', { targetRef: other }), expected: 'PodReplaced' },
    {
      which: 'of another namespace',
      endpoint: endpointOf('one', { targetRef: { ...other, namespace: 'green', uid: 'uid-one' } }),
      expected: 'PodOfOtherNamespace',
    },
    {
      which: 'in the network of its node',
      pods: [{ ...running, spec: { nodeName: 'worker-a', hostNetwork: true } }],
      expected: 'HostNetworkEndpoint',
    },
    { which: 'whose pod has ended', pods: [{ ...running, status: { phase: 'Failed' } }], expected: 'PodEnded' },
    { which: 'whose pod has no address yet', pods: [attachedPod('one', [])], expected: 'NoAddress' },
    {
      which: 'whose pod has one of the other family',
      pods: [attachedPod('one', ['fd20::5/64'])],
      expected: 'NoAddress',
    },
    {
      which: 'whose pod is in another network',
      pods: [
        {
          ...running,
          metadata: {
            ...running.metadata,
            annotations: { 'k8s.ovn.org/pod-networks': '{"blue/green":{"ip_addresses":["10.20.1.5/24"]}}' },
          },
        },
      ],
      expected: 'NoAddress',
    },
    {
      which: 'whose annotation cannot be read',
      pods: [{ ...running, metadata: { ...running.metadata, annotations: { 'k8s.ovn.org/pod-networks': '{' } } }],
      expected: 'NoAddress',
    },
    {
      which: 'whose pod has an address outside the network',
      pods: [attachedPod('one', ['192.0.2.5/24'])],
      expected: 'EndpointOutsideNetwork',
    },
    { which: 'that a user writes', endpoint: { addresses: ['10.20.1.9'] }, expected: '10.20.1.9' },
    {
      which: 'that names a node',
      endpoint: { addresses: ['10.20.1.9'], targetRef: { kind: 'Node', name: 'worker-a' } },
      expected: '10.20.1.9',
    },
    {
      which: 'that a user writes outside the network',
      endpoint: { addresses: ['10.21.0.1'] },
      expected: 'EndpointOutsideNetwork',
    },
    { which: 'without an address', endpoint: { addresses: [] }, expected: 'EndpointOutsideNetwork' },
    {
      which: 'whose address is none',
      endpoint: { addresses: ['web.example.org'] },
      expected: 'EndpointOutsideNetwork',
    },
    {
      which: 'with an address in a form for IPv6',
      endpoint: { addresses: ['::ffff:10.20.1.9'] },
      expected: 'EndpointOutsideNetwork',
    },
  ] satisfies readonly { which: string; endpoint?: Endpoint; pods?: readonly Pod[]; expected: string }[])
    it(`${which} is ${expected}`, () => {
      const verdict = endpointVerdict(endpoint, inputOf(sourceOf([endpoint]), pods));
      expect('addresses' in verdict ? verdict.addresses.join() : verdict.reason).to.equal(expected);
    });

  it('with an address in capitals has it in the usual form', () => {
    const source = sourceOf([{ addresses: ['FD20::A'] }], { addressType: 'IPv6' });
    expect(addresses(source)).to.deep.equal(['fd20::a']);
  });
});

describe('an EndpointSlice', () => {
  for (const { which, found, expected } of [
    { which: 'of a Service', found: slice('a', 'blue', 'web'), expected: 'web' },
    { which: 'of none', found: slice('a', 'blue', undefined), expected: undefined },
    { which: 'of names', found: slice('a', 'blue', 'web', { addressType: 'FQDN' }), expected: undefined },
    {
      which: 'that ovn-uplinks manages',
      found: slice('a', 'blue', 'web', { labels: { 'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks' } }),
      expected: undefined,
    },
  ])
    it(`${which} is mirrored ${expected === undefined ? 'not at all' : `for Service ${expected}`}`, () => {
      expect(serviceOfSource(found)).to.equal(expected);
    });
});
