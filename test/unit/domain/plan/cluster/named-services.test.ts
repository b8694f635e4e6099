import { expect } from 'chai';
import type { ClusterSnapshot, Pod } from '../../../../../src/domain/index.ts';
import { ClusterPlanner } from '../../../../../src/domain/plan/cluster/cluster-planner.ts';
import { withWrittenSlices } from '../../../../property/service-changes.ts';
import { attachedPod, endpointOf, service, slice } from '../../brief-services.ts';
import { blue, planned, served, settings, stored, writes } from '../../served-network.ts';

const LABELS = { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' };
const SELECTOR = 'ovn-uplinks/selector';
const [V4, V6] = ['EndpointSlice/blue/ovn-uplinks.db.ipv4-1', 'EndpointSlice/blue/ovn-uplinks.db.ipv6-1'];

/** A headless Service whose names lead to pods `app=db`. */
const db = (brief: Parameters<typeof service>[2] = {}) =>
  service('db', 'blue', {
    uid: 'uid-db',
    labels: LABELS,
    clusterIPs: ['None'],
    annotations: { [SELECTOR]: 'app=db' },
    ports: [{ name: 'sql', port: 5432 }],
    ...brief,
  });

/** A ready pod, `app=db`, whose addresses end with a number. */
function pod(name: string, number: number, brief: Partial<Pod> = {}): Pod {
  const { metadata, ...rest } = attachedPod(name, [`10.20.1.${String(number)}/24`, `fd20:0:0:1::${String(number)}/64`]);
  return {
    ...rest,
    spec: { nodeName: 'worker-a', hostname: name, subdomain: 'db' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    ...brief,
    metadata: { ...metadata, labels: { app: 'db' }, ...brief.metadata },
  };
}

const pods = [pod('db-0', 5), pod('db-1', 6)];

const named = (objects: Partial<ClusterSnapshot> = {}) =>
  served({ services: [db()], endpointSlices: [], pods, ...objects });

/** Addresses of the slices that are stored, by name. */
const addresses = ({ endpointSlices }: ClusterSnapshot) =>
  Object.fromEntries(
    endpointSlices.map(({ metadata, endpoints }) => [
      metadata.name,
      (endpoints ?? []).flatMap((endpoint) => endpoint.addresses).join(),
    ]),
  );

/** A stored cluster with its Service changed. */
const withService = (brief: Parameters<typeof service>[2]) => ({ ...stored(named()), services: [db(brief)] });

describe('for a headless Service without a selector', () => {
  it('slices lead its names to the pods that its annotation selects, and belong to it', () => {
    const snapshot = named({
      pods: [...pods, pod('web', 7, { metadata: { ...pods[0]!.metadata, name: 'web', labels: {} } })],
    });
    expect(writes(snapshot)).to.deep.equal([`apply ${V4}`, `apply ${V6}`]);
    const [first] = planned(snapshot).provision!.services.names;
    const endpoint = (name: string, address: string) => ({
      addresses: [address],
      conditions: { ready: true, serving: true, terminating: false },
      hostname: name,
      targetRef: { kind: 'Pod', namespace: 'blue', name, uid: `uid-${name}` },
      nodeName: 'worker-a',
    });
    expect(first).to.deep.equal({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        namespace: 'blue',
        name: 'ovn-uplinks.db.ipv4-1',
        labels: {
          'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks',
          'kubernetes.io/service-name': 'db',
          'service.kubernetes.io/headless': '',
        },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'db', uid: 'uid-db' }],
      },
      addressType: 'IPv4',
      endpoints: [endpoint('db-0', '10.20.1.5'), endpoint('db-1', '10.20.1.6')],
      ports: [{ name: 'sql', protocol: 'TCP', port: 5432 }],
    });
  });

  it('nothing is written again, and nothing of it is mirrored', () => {
    expect(writes(stored(named()))).to.deep.equal([]);
  });

  it('slices are written again where somebody edits or deletes them, by their uid', () => {
    const all = stored(named());
    for (const change of [
      { endpoints: [{ addresses: ['192.0.2.1'] }] },
      { ports: null },
      {
        metadata: {
          labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks' },
        },
      },
    ]) {
      const [first, ...rest] = all.endpointSlices;
      const changed = { ...first!, ...change, metadata: { ...first!.metadata, ...change.metadata } };
      const snapshot = { ...all, endpointSlices: [changed, ...rest] };
      expect(writes(snapshot), JSON.stringify(change)).to.deep.equal([`apply ${V4}`]);
      expect(planned(snapshot).provision!.services.names[0]?.metadata.uid).to.equal('uid-ovn-uplinks.db.ipv4-1');
    }
    expect(writes({ ...all, endpointSlices: all.endpointSlices.slice(1) })).to.deep.equal([`apply ${V4}`]);
  });

  it('they are deleted where the annotation goes, or the Service gets an address, a selector or another proxy', () => {
    for (const brief of [
      { annotations: {} },
      { clusterIPs: ['10.96.0.10'] },
      { selector: { app: 'db' } },
      { labels: { 'service.kubernetes.io/service-proxy-name': 'example' } },
    ])
      expect(writes(withService(brief)), JSON.stringify(brief)).to.deep.equal([`delete ${V4}`, `delete ${V6}`]);
    expect(writes(withService({ ipFamilies: ['IPv6'] }))).to.deep.equal([`delete ${V4}`]);
    expect(writes({ ...stored(named()), pods: [] })).to.deep.equal([`delete ${V4}`, `delete ${V6}`]);
  });

  it('they stay as they are where the annotation is no selector, and it is said', () => {
    const snapshot = { ...withService({ annotations: { [SELECTOR]: 'app in db' } }), pods: [] };
    expect(writes(snapshot)).to.deep.equal([]);
    expect(planned(snapshot).provision!.services.warnings).to.deep.equal([
      {
        kind: 'Service',
        namespace: 'blue',
        name: 'db',
        uid: 'uid-db',
        reason: 'SelectorInvalid',
        message:
          'annotation ovn-uplinks/selector: "app in db" is no requirement of a label selector; the names of the Service lead to the pods that they led to before; write it as kubectl takes selectors, for example app=db',
      },
    ]);
  });

  it('they stay as they are where the Service is gone, which owns them, or what they follow from cannot be read', () => {
    const all = stored(named());
    const deleted = { ...blue, metadata: { ...blue.metadata, deletionTimestamp: '2026-11-28T12:00:00Z' } };
    for (const change of [
      { services: [] },
      { namespaces: [] },
      { clusterUserDefinedNetworks: [deleted] },
      { pods: pods.slice(1), unreadable: [{ kind: 'pods', namespace: 'blue', name: 'db-0' }] },
      {
        endpointSlices: all.endpointSlices.slice(1),
        unreadable: [{ kind: 'endpointSlices', namespace: 'blue', name: 'ovn-uplinks.db.ipv4-1' }],
      },
    ] as const satisfies readonly Partial<ClusterSnapshot>[])
      expect(writes({ ...all, ...change }), JSON.stringify(change)).to.deep.equal([]);
  });

  it('names that others have taken are passed over, and such slices are left alone', () => {
    const foreign = slice('ovn-uplinks.db.ipv4-1', 'blue', undefined, { uid: 'uid-foreign' });
    expect(addresses(stored(named({ endpointSlices: [foreign] })))).to.deep.equal({
      'ovn-uplinks.db.ipv4-1': '',
      'ovn-uplinks.db.ipv4-2': '10.20.1.5,10.20.1.6',
      'ovn-uplinks.db.ipv6-1': 'fd20:0:0:1::5,fd20:0:0:1::6',
    });
  });

  it('one is replaced that somebody has made for other addresses', () => {
    const all = stored(named());
    const [first, ...rest] = all.endpointSlices;
    const snapshot = { ...all, endpointSlices: [{ ...first!, addressType: 'IPv6' }, ...rest] };
    expect(writes(snapshot)).to.deep.equal(['apply EndpointSlice/blue/ovn-uplinks.db.ipv4-2', `delete ${V4}`]);
  });

  it('a pod that changes, comes or goes is one decision, and a write for each family', () => {
    const planner = new ClusterPlanner({ ...settings });
    const many = Array.from({ length: 250 }, (_, at) => pod(`db-${String(at)}`, at));
    let snapshot = named({ pods: many });
    const plan = () => planner.plan(snapshot).provision!.services;
    const store = () => {
      snapshot = { ...snapshot, endpointSlices: withWrittenSlices(snapshot.endpointSlices, plan()) };
      expect(plan().names).to.deep.equal([]);
    };
    store();
    expect(snapshot.endpointSlices).to.have.length(6);
    const notReady = pod('db-0', 0, { status: { phase: 'Running' } });
    for (const list of [[notReady, ...many.slice(1)], many.slice(1), [...many.slice(1), pod('late', 251)]]) {
      snapshot = { ...snapshot, pods: list };
      const { names } = plan();
      expect(planner.decisions.services).to.equal(2);
      expect(names.map(({ addressType }) => addressType)).to.deep.equal(['IPv4', 'IPv6']);
      store();
    }
    // One that nothing selects.
    snapshot = { ...snapshot, pods: [...snapshot.pods, attachedPod('web', ['10.20.1.252/24'])] };
    plan();
    expect(planner.decisions.services).to.equal(0);
  });

  it('it is said which of its pods are in the network of their node, as soon as one is', () => {
    const planner = new ClusterPlanner({ ...settings });
    const said = (snapshot: ClusterSnapshot) =>
      planner.plan(snapshot).provision!.services.warnings.map(({ reason, message }) => `${reason}: ${message}`);
    const onHost = pod('db-2', 7, { spec: { nodeName: 'worker-a', hostNetwork: true } });
    // The Service is the same object all the time.
    const all = named();
    expect(said(all)).to.deep.equal([]);
    expect(said({ ...all, pods: [...pods, onHost] })).to.deep.equal([
      'HostNetworkEndpoint: not in ClusterUserDefinedNetwork/blue but in the network of the node: pod db-2; the Service does not lead there; run such pods without hostNetwork',
    ]);
    expect(said(all)).to.deep.equal([]);
  });

  it('it is said that slices of a former selector are left', () => {
    const left = (name: string, manager: string, endpoints = [endpointOf('db-0')]) =>
      slice(name, 'blue', 'db', { endpoints, labels: { 'endpointslice.kubernetes.io/managed-by': manager } });
    const controller = 'endpointslice-controller.k8s.io';
    const said = (...endpointSlices: ClusterSnapshot['endpointSlices']) =>
      planned(named({ endpointSlices })).provision!.services.warnings.map(
        ({ reason, message }) => `${reason}: ${message}`,
      );
    expect(said(left('db-x1', controller), left('db-x2', controller, []))).to.deep.equal([
      'HeadlessLeadsElsewhere: the name leads to addresses of pods in the default network too, which no pod of the namespace reaches: db-x1 of a former spec.selector; delete them: kubectl delete endpointslices --namespace=blue --selector=kubernetes.io/service-name=db,endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io',
    ]);
    expect(said(left('db-x1', 'somebody'))).to.deep.equal([]);
  });
});
