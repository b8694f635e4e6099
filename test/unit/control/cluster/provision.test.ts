import type { FieldsWrite } from '../../../../src/domain/objects/object-write.ts';
import { expect } from 'chai';
import { ClusterLoop } from '../../../../src/control/cluster/cluster-loop.ts';
import { type ClusterSnapshot, defaultSettings, emptyCluster } from '../../../../src/domain/index.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { ClusterReport } from '../../../../src/ports/cluster/cluster-report.ts';
import type { ResourceStore } from '../../../../src/ports/cluster/resource-store.ts';
import { eventually } from '../../adapters/processes.ts';
import { namespace, network, node } from '../../domain/brief-objects.ts';

const settings = { ...defaultSettings, providedNetworks: 'all' } as const;
const done: ApplyResult = { done: true };
const refused: ApplyResult = { done: false, error: 'may not' };

type Network = ClusterSnapshot['clusterUserDefinedNetworks'][number];
type Definition = ClusterSnapshot['networkAttachmentDefinitions'][number];

/** A cluster in memory, with what is written to it. */
class Cluster {
  snapshot: ClusterSnapshot;
  readonly writes: string[] = [];
  readonly reports: ClusterReport[] = [];
  /** The fault of a write, if any. */
  fault: (write: string) => 'refused' | 'without effect' | undefined = () => undefined;
  #listener: () => void = () => undefined;

  constructor(snapshot: ClusterSnapshot) {
    this.snapshot = snapshot;
  }

  change(snapshot: Partial<ClusterSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...snapshot };
    this.#listener();
  }

  /** Records a write, and has its effect. */
  #write(write: string, effect: (snapshot: ClusterSnapshot) => Partial<ClusterSnapshot>): Promise<ApplyResult> {
    this.writes.push(write);
    const fault = this.fault(write);
    if (fault === undefined) this.snapshot = { ...this.snapshot, ...effect(this.snapshot) };
    return Promise.resolve(fault === 'refused' ? refused : done);
  }

  #apply({ kind, name, namespace = '', metadata, spec, status }: FieldsWrite): Promise<ApplyResult> {
    if (kind === 'Node')
      return this.#write(`id of ${name}`, ({ nodes }) => ({
        nodes: nodes.map((each) =>
          each.metadata.name === name
            ? node(name, { ...each.metadata, annotations: metadata?.annotations ?? {} })
            : each,
        ),
      }));
    if (kind === 'NetworkAttachmentDefinition')
      return this.#write(`definition in ${namespace}`, ({ networkAttachmentDefinitions }) => ({
        networkAttachmentDefinitions: [
          ...networkAttachmentDefinitions,
          { apiVersion: 'k8s.cni.cncf.io/v1', kind, metadata: { namespace, name, ...metadata }, spec } as Definition,
        ],
      }));
    const what = `status ${(status?.conditions ?? []).map(({ reason }) => reason).join(' ')}`;
    return this.#write(status === undefined ? 'metadata' : what, ({ clusterUserDefinedNetworks }) => ({
      clusterUserDefinedNetworks: clusterUserDefinedNetworks.map(
        (each) =>
          ({ ...each, metadata: { ...each.metadata, ...metadata }, ...(status && { status }) }) as unknown as Network,
      ),
    }));
  }

  readonly store: ResourceStore = {
    read: () => Promise.resolve({ read: true, value: { snapshot: this.snapshot, origins: new Map(), warnings: [] } }),
    onChange: (listener: () => void) => (this.#listener = listener),
    close: () => Promise.resolve(),
    write: (write) => {
      if (write.verb === 'apply') return this.#apply(write);
      if (write.verb === 'delete')
        return this.#write(`deletion in ${write.namespace ?? ''}`, ({ networkAttachmentDefinitions: all }) => ({
          networkAttachmentDefinitions: all.filter(({ metadata }) => metadata.namespace !== write.namespace),
        }));
      const { namespace: within, data } = write.change;
      const metadata = { namespace: within, name: 'ovn-uplinks-ids' };
      return this.#write('claims', () => ({
        configMaps: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }],
      }));
    },
  };

  /** Runs the loop until nothing is to be written; resolves to whether everything was written. */
  async once(): Promise<boolean> {
    const options = { settings, once: true };
    return await new ClusterLoop(this.store, options, (report) => this.reports.push(report)).run();
  }
}

const label = { 'k8s.ovn.org/primary-user-defined-network': '', tenant: 'blue' };
const blue = network('blue', {
  uplinks: undefined,
  metadata: { uid: 'uid-blue' },
  network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
});

const withNetwork = () =>
  new Cluster({
    ...emptyCluster,
    nodes: [node('worker-a', { uid: 'uid-a' })],
    namespaces: [namespace('demo', label), namespace('shop', label)],
    clusterUserDefinedNetworks: [blue],
  });

const conditionsIn = ({ reports }: Cluster) =>
  reports.flatMap((each) => (each.kind === 'condition' ? [`${each.type} ${each.reason}`] : []));

describe('the loop of a cluster whose networks are provided', () => {
  it('stores claims, then what uses the ids, and writes a status once, when all of it is there', async () => {
    const cluster = withNetwork();
    expect(await cluster.once()).to.equal(true);
    expect(cluster.writes).to.deep.equal([
      'claims',
      'metadata',
      'id of worker-a',
      'metadata',
      'definition in demo',
      'definition in shop',
      'status NetworkAttachmentDefinitionCreated NetworkAllocationSucceeded NodeNotReporting UplinksReady',
    ]);
    expect(conditionsIn(cluster)).to.have.members([
      'UplinksReady UplinksReady',
      'NetworkCreated NetworkAttachmentDefinitionCreated',
      'NetworkAllocationSucceeded NetworkAllocationSucceeded',
      'NetworkReady NodeNotReporting',
    ]);
    cluster.writes.splice(0);
    await cluster.once();
    expect(cluster.writes).to.deep.equal([]);
  });

  it('reports in the status what cannot be written', async () => {
    const cluster = withNetwork();
    cluster.fault = (write) => (write === 'definition in shop' ? 'refused' : undefined);
    expect(await cluster.once()).to.equal(false);
    expect(cluster.writes.at(-1)).to.equal(
      'status AttachmentDefinitionPending NetworkAllocationSucceeded NodeNotReporting UplinksReady',
    );
    cluster.fault = (write) => (write === 'claims' ? 'refused' : undefined);
    const other = withNetwork();
    other.fault = cluster.fault;
    expect(await other.once()).to.equal(false);
    expect(other.writes).to.deep.equal([
      'claims',
      'metadata',
      'status NetworkNotAllocated NetworkIdMissing NetworkNotAllocated UplinksReady',
      'claims',
    ]);
  });

  it('adds no NetworkAttachmentDefinition of a network whose finalizer is refused, by which its deletion waits for pods', async () => {
    const cluster = withNetwork();
    cluster.fault = (write) => (write === 'metadata' ? 'refused' : undefined);
    expect(await cluster.once()).to.equal(false);
    expect(cluster.snapshot.networkAttachmentDefinitions).to.deep.equal([]);
    expect(cluster.writes.filter((write) => write.startsWith('status')).at(-1)).to.equal(
      'status AttachmentDefinitionPending NetworkAllocationSucceeded NodeNotReporting UplinksReady',
    );
  });

  it('stops repeating a write that has no effect, and says so, until something changes', async () => {
    const cluster = withNetwork();
    cluster.fault = (write) => (write === 'definition in shop' ? 'without effect' : undefined);
    const loop = new ClusterLoop(cluster.store, { settings, once: false }, (report) => cluster.reports.push(report));
    const running = loop.run();
    const ofShop = () => cluster.writes.filter((write) => write === 'definition in shop').length;
    const status = 'status AttachmentDefinitionPending NetworkAllocationSucceeded NodeNotReporting UplinksReady';
    await eventually('the status says so', () => cluster.writes.includes(status));
    expect(ofShop()).to.equal(3);
    cluster.fault = () => undefined;
    cluster.change({ pods: [] });
    await eventually('it has an effect', () => cluster.snapshot.networkAttachmentDefinitions.length === 2);
    loop.stop();
    await running;
    expect(ofShop()).to.equal(4);
  });

  it('removes NetworkAttachmentDefinitions, then the finalizer of a network, at once', async () => {
    const cluster = withNetwork();
    await cluster.once();
    cluster.writes.splice(0);
    const [before] = cluster.snapshot.clusterUserDefinedNetworks;
    const metadata = { ...before!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    cluster.change({ clusterUserDefinedNetworks: [{ ...before!, metadata }] });
    await cluster.once();
    expect(cluster.writes.filter((write) => !write.startsWith('status'))).to.deep.equal([
      'deletion in demo',
      'deletion in shop',
      'metadata',
    ]);
    expect(cluster.snapshot.clusterUserDefinedNetworks[0]?.metadata.finalizers).to.deep.equal([]);
  });
});
