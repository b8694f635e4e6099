import { expect } from 'chai';
import type { EndpointSlice } from '../../../../../src/domain/api/endpoint-slice.ts';
import { type ClusterSnapshot, defaultSettings, planCluster } from '../../../../../src/domain/index.ts';
import { plannedWrites } from '../../../../../src/domain/plan/cluster/planned-writes.ts';
import { withLabels, withWrittenSlices } from '../../../../property/service-changes.ts';
import { namespace, pod } from '../../brief-objects.ts';
import { service, slice } from '../../brief-services.ts';
import { blue, planned, served, settings, source, stored, writes } from '../../served-network.ts';

const MIRROR = 'EndpointSlice/blue/ovn-uplinks-web-1';

/** The cluster with its mirror changed. */
const withMirror = (change: (mirror: EndpointSlice) => EndpointSlice): ClusterSnapshot => {
  const all = stored(served());
  return {
    ...all,
    endpointSlices: all.endpointSlices.map((each) =>
      each.metadata.name === 'ovn-uplinks-web-1' ? change(each) : each,
    ),
  };
};

describe('for a Service in a network', () => {
  it('its label and the mirror of its slice are written', () => {
    expect(writes(served())).to.deep.equal(['apply Service/blue/web', `apply ${MIRROR}`]);
  });

  it('nothing is written again', () => {
    expect(writes(stored(served()))).to.deep.equal([]);
    // As API servers print empty lists.
    const empty = stored(served({ endpointSlices: [slice('web-1', 'blue', 'web', { endpoints: null, ports: null })] }));
    const printed = empty.endpointSlices.map((each) => ({ ...each, endpoints: null, ports: null }));
    expect(writes({ ...empty, endpointSlices: printed })).to.deep.equal([]);
  });

  it('a mirror is written again where something else is in it, and by its uid', () => {
    for (const change of [
      { endpoints: [{ addresses: ['192.0.2.1'] }] },
      { endpoints: [...(source.endpoints ?? []), { addresses: ['10.20.1.5'] }] },
      { ports: [{ name: 'other', port: 1 }] },
    ]) {
      const snapshot = withMirror((mirror) => ({ ...mirror, ...change }));
      expect(writes(snapshot)).to.deep.equal([`apply ${MIRROR}`]);
      expect(planned(snapshot).provision?.services.mirrors[0]?.metadata.uid).to.equal('uid-ovn-uplinks-web-1');
    }
  });

  it('labels and annotations that others have added to a mirror stay', () => {
    const snapshot = withMirror(({ metadata, ...mirror }) => ({
      ...mirror,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, a: 'b' },
        annotations: { ...metadata.annotations, c: 'd' },
      },
    }));
    expect(writes(snapshot)).to.deep.equal([]);
  });

  it('a mirror is deleted whose slice is gone, or is of a Service that is not served', () => {
    const all = stored(served());
    const theirs = service('web', 'blue', { labels: { 'service.kubernetes.io/service-proxy-name': 'example' } });
    const name = service('web', 'blue', { type: 'ExternalName', clusterIPs: [] });
    for (const change of [
      { endpointSlices: all.endpointSlices.filter((each) => each !== source) },
      { services: [theirs] },
      { services: [{ ...name, metadata: all.services[0]!.metadata }] },
    ])
      expect(writes({ ...all, ...change })).to.deep.equal([`delete ${MIRROR}`]);
  });

  it('a mirror whose slice has addresses of another kind is deleted before it is created again', () => {
    const all = stored(served());
    const ipv6 = { ...source, addressType: 'IPv6', endpoints: [] };
    const snapshot = { ...all, endpointSlices: all.endpointSlices.map((each) => (each === source ? ipv6 : each)) };
    expect(writes(snapshot)).to.deep.equal([`delete ${MIRROR}`]);
    expect(writes(stored(snapshot))).to.deep.equal([`apply ${MIRROR}`]);
  });

  it('a mirror is left alone while it is being deleted', () => {
    const snapshot = withMirror(({ metadata, ...mirror }) => ({
      ...mirror,
      endpoints: [],
      metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    expect(writes(snapshot)).to.deep.equal([]);
    const gone = snapshot.endpointSlices.filter((each) => each !== source);
    expect(writes({ ...snapshot, endpointSlices: gone })).to.deep.equal([]);
  });

  it('a slice of others that has the name of the mirror is left alone, with a warning', () => {
    const foreign = slice('ovn-uplinks-web-1', 'blue', undefined, { labels: { a: 'b' } });
    const snapshot = served({ endpointSlices: [source, foreign] });
    expect(writes(snapshot)).to.deep.equal(['apply Service/blue/web']);
    expect(planned(snapshot).warnings.map(({ object, message }) => `${object}: ${message}`)).to.deep.equal([
      `${MIRROR}: has the name of the mirror of EndpointSlice web-1 and is not managed by ovn-uplinks; it is not overwritten, and what that one has is not served`,
    ]);
  });

  it('slices that ovn-uplinks manages and that are no mirrors stay', () => {
    const managed = slice('own', 'blue', 'web', {
      labels: { 'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks' },
    });
    const all = stored(served());
    expect(writes({ ...all, endpointSlices: [...all.endpointSlices, managed] })).to.deep.equal([]);
  });

  it('a mirror stays as it is while something that it follows from is not known', () => {
    const all = stored(served());
    const changed = { ...all, pods: [pod('one', 'blue', 'worker-a')] };
    for (const [what, snapshot] of Object.entries({
      'the network is being deleted': {
        ...changed,
        clusterUserDefinedNetworks: [
          { ...blue, metadata: { ...blue.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        ],
      },
      'the network has no id': { ...changed, configMaps: [] },
      'the Service is not known': { ...changed, services: [] },
      'the namespace is not known': { ...changed, namespaces: [] },
      'the network cannot be read': {
        ...changed,
        clusterUserDefinedNetworks: [],
        unreadable: [{ kind: 'clusterUserDefinedNetworks', name: 'blue' }],
      },
      'the pod cannot be read': {
        ...changed,
        pods: [],
        unreadable: [{ kind: 'pods', namespace: 'blue', name: 'one' }],
      },
      'the slice cannot be read': {
        ...changed,
        endpointSlices: all.endpointSlices.filter((each) => each !== source),
        unreadable: [{ kind: 'endpointSlices', namespace: 'blue', name: 'web-1' }],
      },
    } satisfies Readonly<Record<string, ClusterSnapshot>>))
      expect(writes(snapshot), what).to.deep.equal([]);
    expect(writes(changed)).to.deep.equal([`apply ${MIRROR}`]);
  });

  it('nothing of a network that another implementation provides is touched', () => {
    const snapshot = served();
    expect(
      plannedWrites(planCluster(snapshot, { ...defaultSettings, providedNetworks: 'with-uplinks' }), snapshot).services,
    ).to.deep.equal([]);
    expect(plannedWrites(planCluster(snapshot, { ...defaultSettings }), snapshot).services).to.deep.equal([]);
  });
});

describe('a change among many Services', () => {
  it('of one pod costs one write, and a few milliseconds', () => {
    const [namespaces, servicesEach, endpoints] = [50, 100, 10];
    const names = Array.from({ length: namespaces }, (_, at) => `tenant-${String(at)}`);
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
    const pods = names.flatMap((name) =>
      numbers(servicesEach * endpoints).map((at) => ({
        ...pod(`pod-${String(at)}`, name, 'worker-a'),
        metadata: {
          name: `pod-${String(at)}`,
          namespace: name,
          annotations: {
            'k8s.ovn.org/pod-networks': JSON.stringify({
              [`${name}/${name}`]: { ip_addresses: [`10.20.${String(at >> 8)}.${String(at & 255)}/16`] },
            }),
          },
        },
      })),
    );
    const snapshot = served({
      clusterUserDefinedNetworks: names.map((name) => ({
        ...blue,
        metadata: { name, uid: `uid-${name}` },
        spec: { ...blue.spec, namespaceSelector: { matchLabels: { tenant: name } } },
      })),
      namespaces: names.map((name) =>
        namespace(name, { tenant: name, 'k8s.ovn.org/primary-user-defined-network': '' }),
      ),
      configMaps: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
          data: Object.fromEntries(
            names.map((name, at) => [`network-${String(at + 1)}`, `cluster_udn_${name} uid-${name}`]),
          ),
        },
      ],
      services: names.flatMap((name) => numbers(servicesEach).map((at) => service(`web-${String(at)}`, name))),
      endpointSlices: names.flatMap((name) =>
        numbers(servicesEach).map((at) =>
          slice(`web-${String(at)}-1`, name, `web-${String(at)}`, {
            endpoints: numbers(endpoints).map((of) => ({
              addresses: ['10.244.0.5'],
              targetRef: { kind: 'Pod', namespace: name, name: `pod-${String(at * endpoints + of)}` },
            })),
          }),
        ),
      ),
      pods,
    });
    const own = { ...settings };
    const { services } = planCluster(snapshot, own).provision!;
    expect(services.mirrors).to.have.length(namespaces * servicesEach);
    let all: ClusterSnapshot = {
      ...snapshot,
      services: withLabels(snapshot.services, services),
      endpointSlices: withWrittenSlices(snapshot.endpointSlices, services),
    };
    planCluster(all, own);
    const durations = numbers(9).map((at) => {
      const changed = [...all.pods];
      const place = at * 5000 + 7;
      const before = changed[place]!;
      changed[place] = { ...before, metadata: { ...before.metadata, annotations: {} } };
      all = { ...all, pods: changed };
      const began = process.cpuUsage();
      const { services: written } = planCluster(all, own).provision!;
      expect(plannedWrites(planCluster(all, own), all).services).to.have.length(1);
      const { user, system } = process.cpuUsage(began);
      all = { ...all, endpointSlices: withWrittenSlices(all.endpointSlices, written) };
      planCluster(all, own);
      return (user + system) / 1000;
    });
    const median = durations.sort((left, right) => left - right)[4]!;
    process.stdout.write(`      ${median.toFixed(1)} ms\n`);
    // 10 on an idle machine; a plan of the whole takes far longer.
    expect(median).to.be.lessThan(30);
  });
});
