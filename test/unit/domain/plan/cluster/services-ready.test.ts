import { expect } from 'chai';
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { nodeReportName } from '../../../../../src/domain/network/allocation/node-report.ts';
import { plannedWrites } from '../../../../../src/domain/plan/cluster/planned-writes.ts';
import { objectDifference } from '../../../../../src/domain/objects/differences.ts';
import type { FieldsWrite } from '../../../../../src/domain/objects/object-write.ts';
import { network, node } from '../../brief-objects.ts';
import { attachedPod, endpointOf, service, slice } from '../../brief-services.ts';
import { blue, planned, served, stored } from '../../served-network.ts';

/** A ready pod that was there before the network. */
const older = (name: string, isReady = true) =>
  attachedPod(name, [], {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  });

/** The nodes of a cluster with what they report. */
const reporting = (reports: Readonly<Record<string, Readonly<Record<string, string>>>>, base = served()) => ({
  nodes: Object.keys(reports).map((name) => node(name, { uid: `uid-${name}` })),
  configMaps: [
    ...base.configMaps,
    ...Object.entries(reports).map(([name, data]) => ({
      apiVersion: 'v1' as const,
      kind: 'ConfigMap' as const,
      metadata: { namespace: 'ovn-uplinks', name: nodeReportName(name) },
      data: { node: name, uid: `uid-${name}`, networks: '1', ready: '1', ...data },
    })),
  ],
});

function said(snapshot: ClusterSnapshot): string | undefined {
  const [network] = planned(snapshot).provision!.networks;
  const found = network?.conditions.find(({ type }) => type === 'ServicesReady');
  return found && `${found.status} ${found.reason}: ${found.message}`;
}

describe('condition ServicesReady of a network', () => {
  it('is there with its first Service that has an address', () => {
    expect(said(stored(served()))).to.equal('True ServicesReady: 1 Service; the network is not active on any node');
    expect(said(served({ services: [] }))).to.equal(undefined);
    expect(said(served({ services: [service('db', 'blue', { clusterIPs: ['None'] })] }))).to.equal(undefined);
    const labels = { 'service.kubernetes.io/service-proxy-name': 'example' };
    expect(said(served({ services: [service('web', 'blue', { labels })] }))).to.equal(undefined);
  });

  it('says that a Service is not labelled yet', () => {
    expect(said(served())).to.equal('False ServicesNotServed: 1 of 1 Service: blue/web: is not labelled yet');
  });

  it('says which nodes do not serve them, and why', () => {
    const refused = 'ServiceProgrammingFailed: blue/web: constraint violation';
    const nodes = reporting({ a: { 'services-ready': '1-3' }, b: { 'services-not-ready-1': refused }, c: {} });
    expect(said(stored(served(nodes)))).to.equal(
      'False ServiceProgrammingFailed: 2 of 3 active nodes not ready: b (ServiceProgrammingFailed), c (ServicesPending); b: blue/web: constraint violation',
    );
    const ready = reporting({ a: { 'services-ready': '1-3' }, b: { 'services-ready': '1' } });
    expect(said(stored(served(ready)))).to.equal('True ServicesReady: 1 Service served on 2 of 2 active nodes');
  });

  it('names pods that are ready and have no address in the network, and none that may still get one', () => {
    const having = (...pods: ClusterSnapshot['pods']) =>
      said(
        stored(
          served({
            pods,
            endpointSlices: [
              slice('web-1', 'blue', 'web', {
                uid: 'uid-web-1',
                endpoints: ['old', 'one', 'older'].map((name) => endpointOf(name)),
              }),
            ],
          }),
        ),
      );
    const one = attachedPod('one', ['10.20.1.5/24']);
    expect(having(one, older('older'), older('old'))).to.equal(
      'False EndpointsUnmapped: 1 of 1 Service: blue/web: no address in the network: pod old, pod older',
    );
    expect(having(one, older('old', false))).to.equal(
      'True ServicesReady: 1 Service; the network is not active on any node',
    );
  });

  it('names no pod without an address of a family that the network does not have, as Services with both families have slices of both', () => {
    const pods = [
      attachedPod('one', ['10.20.1.5/24'], {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    ];
    const sliceOf = (addressType: string) =>
      slice(`web-${addressType}`, 'blue', 'web', {
        uid: `uid-web-${addressType}`,
        addressType,
        endpoints: [endpointOf('one')],
      });
    const services = [service('web', 'blue', { clusterIPs: ['10.96.0.10', 'fd96::a'] })];
    const both = served({ services, pods, endpointSlices: [sliceOf('IPv4'), sliceOf('IPv6')] });
    expect(said(stored(both))).to.match(/^False EndpointsUnmapped: .*: no address in the network: pod one$/);
    const narrow = network('blue', {
      network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
      metadata: { uid: 'uid-blue' },
    });
    const inNarrow = { ...both, clusterUserDefinedNetworks: [narrow] };
    expect(said(stored(inNarrow))).to.equal('True ServicesReady: 1 Service; the network is not active on any node');
  });

  it('names an address that is a pod’s', () => {
    const services = [service('web', 'blue', { clusterIPs: ['10.20.0.10'] })];
    expect(said(stored(served({ services })))).to.equal(
      'False ServicesRefused: 1 of 1 Service: blue/web: cannot be served at 10.20.0.10',
    );
  });

  it('names an address that several Services have', () => {
    const services = ['web', 'other'].map((name) => service(name, 'blue'));
    expect(said(stored(served({ services })))).to.equal(
      'False ServicesRefused: 2 of 2 Services: blue/other: cannot be served at 10.96.0.10, …',
    );
  });

  it('is removed with the last Service', () => {
    const ready = { type: 'ServicesReady', status: 'True', reason: 'ServicesReady', message: '' } as const;
    const foreign = { type: 'Theirs', status: 'True', reason: 'Theirs', message: '' } as const;
    const snapshot = served({
      services: [],
      clusterUserDefinedNetworks: [{ ...blue, status: { conditions: [ready, foreign] } }],
    });
    const [{ write, stored: object }] = plannedWrites(planned(snapshot), snapshot).networks as [
      { write: FieldsWrite; stored: object },
    ];
    const { fields } = objectDifference(write, object);
    expect(fields.filter(({ mark }) => mark === '-')).to.deep.equal([{ mark: '-', field: 'condition ServicesReady' }]);
  });
});
