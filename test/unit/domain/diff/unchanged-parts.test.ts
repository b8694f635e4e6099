/** Unchanged parts of a node are not compared again: the cost of a change follows from the change. */
import { expect } from 'chai';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { ManifestFiles } from '../../../../src/adapters/manifests/manifest-files.ts';
import { foreseen } from '../../../../src/domain/diff/foresee.ts';
import { allKinds, type EntityKindName } from '../../../../src/domain/entities/entity-kinds.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  type NodeSnapshot,
  planNode,
} from '../../../../src/domain/index.ts';

const fixtures = `${import.meta.dirname}/../../../../fixtures`;

/** The kinds of which a call compares entities. */
function comparedBy(call: () => void): readonly EntityKindName[] {
  const compared = new Set<EntityKindName>();
  const originals = allKinds.map((kind) => ({ kind, satisfies: kind.satisfies }));
  try {
    for (const { kind, satisfies } of originals) {
      Object.assign(kind, {
        satisfies: (...given: Parameters<typeof satisfies>) => {
          compared.add(kind.kind);
          return satisfies(...given);
        },
      });
    }
    call();
  } finally {
    for (const { kind, satisfies } of originals) Object.assign(kind, { satisfies });
  }
  return [...compared];
}

describe('the difference of a node of which only a part has changed', () => {
  let cluster: ClusterSnapshot;
  let done: NodeSnapshot;

  const operations = (node: NodeSnapshot) => diffNode(planNode(cluster, node, defaultSettings), node);

  /** The kinds that are compared for a node on which nothing is left to do. */
  function comparedOn(node: NodeSnapshot): readonly EntityKindName[] {
    const plan = planNode(cluster, node, defaultSettings);
    return comparedBy(() => expect(diffNode(plan, node)).to.deep.equal([]));
  }

  before(async () => {
    const objects = await new ManifestFiles([`${fixtures}/cluster.yaml`]).read();
    const captured = await new CapturedNode('worker-a', `${fixtures}/captures/worker-a`).read();
    if (!objects.read || !captured.read) throw new Error('the fixtures cannot be read');
    cluster = objects.value.snapshot;
    done = captured.value;
    for (let planned = operations(done); planned.length > 0; planned = operations(done)) done = foreseen(planned, done);
  });

  /** A new snapshot that shares all parts with the last one, but for copies of some. */
  const withCopies = (...parts: readonly (keyof NodeSnapshot)[]): NodeSnapshot => ({
    ...done,
    ...Object.fromEntries(parts.map((part) => [part, structuredClone(done[part])])),
  });

  it('is at first found by comparing everything', () => {
    const all = withCopies('links', 'routes', 'rules', 'neighbours', 'flows', 'northbound', 'fdbEntries', 'sysctls');
    expect(comparedOn(all)).to.include.members(['route', 'flow', 'northbound-row', 'fdb-entry', 'sysctl']);
  });

  const changes: readonly (readonly [part: keyof NodeSnapshot, not: readonly EntityKindName[]])[] = [
    ['neighbours', ['flow', 'northbound-row', 'open-router-port', 'no-flood-port']],
    ['routes', ['flow', 'northbound-row', 'open-router-port', 'no-flood-port']],
    ['flows', ['northbound-row', 'open-router-port', 'no-flood-port']],
    ['northbound', ['flow', 'no-flood-port']],
  ];
  for (const [part, not] of changes) {
    it(`is found without comparing ${not.join(', ')} if only ${part} were read again`, () => {
      operations(done);
      const compared = comparedOn(withCopies(part));
      expect(not.filter((kind) => compared.includes(kind))).to.deep.equal([]);
    });
  }

  it('includes changes of a part that was equal before', () => {
    operations(done);
    const without = { ...done, northbound: done.northbound.filter(({ table }) => table !== 'NAT') };
    expect(operations(without).map(({ verb }) => verb)).to.deep.equal(['change', 'change']);
    expect(operations(done)).to.deep.equal([]);
    expect(operations(without)).to.have.length(2);
  });

  it('includes changes of the desired state of an unchanged node', () => {
    operations(done);
    const none = { ...cluster, clusterUserDefinedNetworks: [] };
    expect(diffNode(planNode(none, done, defaultSettings), done)).not.to.deep.equal([]);
    expect(operations(done)).to.deep.equal([]);
  });
});
