/**
 * Checks that a new kind of entity is one file and one line in the table of kinds: a copy of src gets both, and everything else follows. Another line
 * there says that networks need it.
 */
import { nameOfNetwork } from '../../../src/domain/network/key.ts';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { execa } from 'execa';
import fc from 'fast-check';
import type * as Table from '../../../src/domain/entities/entity-kinds.ts';
import type * as Domain from '../../../src/domain/index.ts';
import type { NodePlan, NodeSnapshot, Operation } from '../../../src/domain/index.ts';
import { withKernelAddressesAndRoutes } from '../../../src/domain/node-model/kernel-routes.ts';
import type * as Testing from '../../../src/testing/index.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { attachment, cluster, network, node, uplink } from '../../unit/domain/brief-objects.ts';
import { caseCount } from '../../case-count.ts';
import { wantedNote } from './bridge-note.ts';

const root = join(import.meta.dirname, '../../..');

/** The text with a line after another one. */
function withLineAfter(text: string, before: string, line: string): string {
  const lines = text.split('\n');
  const at = lines.indexOf(before);
  if (at === -1) throw new Error(`there is no line ${before}`);
  return lines.toSpliced(at + 1, 0, line).join('\n');
}

const layer3 = { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } as const;
const objects = cluster({
  nodes: [node('a')],
  uplinks: [uplink('blue', 'ten-blue')],
  clusterUserDefinedNetworks: ['blue', 'red'].map((name) => network(name, { network: { layer3 } })),
  networkAttachmentDefinitions: [attachment('blue', '7'), attachment('red', '8')],
});
const withoutNetworks = { ...objects, clusterUserDefinedNetworks: [] };
const bare = withKernelAddressesAndRoutes(
  completeNode({
    nodeName: 'a',
    links: [
      { name: 'br-blue' },
      { name: 'ten-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
      { name: 'eth1' },
      { name: 'ovn-k8s-mp7', index: 9 },
      { name: 'ovn-k8s-mp8', index: 10 },
    ],
    bridges: [
      {
        name: 'br-blue',
        ports: [{ name: 'eth1' }, { name: 'ten-blue', interfaces: [{ name: 'ten-blue', type: 'internal' }] }],
      },
    ],
    routes: [{ destination: '0.0.0.0/0', nextHops: [{ device: 'ten-blue', gateway: '192.0.2.1' }] }],
  }),
);

/** A managed note. The table that this file is checked against does not have the kind, that of the copy does. */
function note(): Table.Entity {
  return wantedNote('br-blue') as object as Table.Entity;
}

/** The node with another note on its bridge, or with none. */
function withNote(on: NodeSnapshot, text: string | undefined): NodeSnapshot {
  const externalIds: Readonly<Record<string, string>> = text === undefined ? {} : { note: text };
  return { ...on, bridges: on.bridges.map((bridge) => ({ ...bridge, externalIds })) };
}

describe('a kind of entity that only a test defines', () => {
  let copy: string;
  let domain: typeof Domain;
  let testing: typeof Testing;
  let table: typeof Table;

  before(async () => {
    copy = mkdtempSync(join(tmpdir(), 'ovn-uplinks-new-kind-'));
    cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const entities = join(copy, 'src/domain/entities');
    cpSync(join(import.meta.dirname, 'bridge-note.ts'), join(entities, 'bridge-note.ts'));
    const kinds = readFileSync(join(entities, 'entity-kinds.ts'), 'utf8');
    const imported = withLineAfter(
      kinds,
      "import { bridgeMapping } from './switch/bridge-mapping.ts';",
      "import { bridgeNote } from './bridge-note.ts';",
    );
    writeFileSync(
      join(entities, 'entity-kinds.ts'),
      withLineAfter(imported, '  rule,', "  'bridge-note': bridgeNote,"),
    );
    const part = join(copy, 'src/domain/plan/parts/uplink.ts');
    const wanted = withLineAfter(
      readFileSync(part, 'utf8'),
      "import { routeEntity } from '../../entities/kernel/route.ts';",
      "import { wantedNote } from '../../entities/bridge-note.ts';",
    );
    writeFileSync(part, withLineAfter(wanted, '    ...attachment(network),', '    wantedNote(network.bridge),'));
    const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(copy, path)).href);
    domain = (await load('src/domain/index.ts')) as typeof Domain;
    testing = (await load('src/testing/index.ts')) as typeof Testing;
    table = (await load('src/domain/entities/entity-kinds.ts')) as typeof Table;
  });
  after(() => {
    rmSync(copy, { recursive: true });
  });

  function planned(objectsOnNode: typeof objects, on: NodeSnapshot): NodePlan {
    return domain.planNode(objectsOnNode, on, domain.defaultSettings);
  }

  function operationsFor(on: NodeSnapshot, objectsOnNode = objects): readonly Operation[] {
    return domain.diffNode(planned(objectsOnNode, on), on);
  }

  function applied(on: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
    const model = new testing.NodeModel(on);
    for (const operation of operations) model.apply(operation);
    return model.snapshot;
  }

  function isOnNote(operation: Operation): boolean {
    return 'entity' in operation && (operation.entity.kind as string) === 'bridge-note';
  }

  /** The operations on notes, a line each. */
  function noteLines(operations: readonly Operation[]): readonly string[] {
    return operations.filter(isOnNote).map((operation) => {
      const semantics = domain.semanticsOf(operation);
      return `${semantics.mark} ${operation.networks.map(nameOfNetwork).join('+')} ${semantics.name}: ${semantics.summary(operation)}`;
    });
  }

  const notesOf = ({ bridges }: NodeSnapshot) => bridges.map(({ externalIds }) => externalIds['note']);
  const programmed = () => applied(bare, operationsFor(bare));
  const stale = () => withNote(programmed(), 'ovn-uplinks: goodbye');

  it('type-checks', async () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      readonly compilerOptions: object;
    };
    const files = ['src/domain/index.ts', 'src/testing/index.ts'];
    const config = { compilerOptions: { ...compilerOptions, types: ['node'] }, files };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await execa('tsc', ['--project', copy], {
      localDir: root,
      preferLocal: true,
      reject: false,
    });
    expect(stdout).to.equal('');
  });

  it('is planned once for all networks of the bridge, before their mappings', () => {
    const operations = operationsFor(bare);
    expect(noteLines(operations)).to.deep.equal(['+ blue+red add-bridge-note: note on br-blue: ovn-uplinks: hello']);
    const names = operations.map((operation) => domain.semanticsOf(operation).name);
    expect(names.indexOf('add-bridge-note')).to.be.lessThan(names.indexOf('add-bridge-mapping'));
  });

  it('is applied to the model, after which nothing is left to do', () => {
    expect(notesOf(programmed())).to.deep.equal(['ovn-uplinks: hello']);
    expect(operationsFor(programmed())).to.deep.equal([]);
  });

  it('is replaced if its text differs', () => {
    const operations = operationsFor(stale());
    expect(noteLines(operations)).to.deep.equal(['~ blue+red set-bridge-note: note on br-blue: ovn-uplinks: hello']);
    expect(notesOf(applied(stale(), operations))).to.deep.equal(['ovn-uplinks: hello']);
  });

  it('is not replaced if it belongs to another program: its networks are not programmed, and say why', () => {
    for (const on of [withNote(bare, 'hello'), withNote(programmed(), 'hello')]) {
      expect(noteLines(operationsFor(on))).to.deep.equal([]);
      const plan = planned(objects, on);
      expect(plan.dataplane.programmed).to.deep.equal([]);
      const [state] = domain.nodeStatus(plan, []);
      expect(state?.status.networks).to.deep.equal(
        ['blue', 'red'].map((name) => ({
          name,
          ready: 'False',
          reason: 'UplinkVRFAttachmentFailed',
          message:
            'note on br-blue: hello conflicts with note on br-blue: ovn-uplinks: hello and is not managed by ovn-uplinks',
        })),
      );
    }
  });

  it('is managed, and is repaired if another program removes it', () => {
    expect(table.isOurs(note(), programmed())).to.be.true;
    expect(noteLines(operationsFor(withNote(programmed(), undefined)))).to.deep.equal([
      '+ blue+red add-bridge-note: note on br-blue: ovn-uplinks: hello',
    ]);
  });

  it('is printed with its command', () => {
    const commands = (operations: readonly Operation[]) =>
      operations
        .filter(isOnNote)
        .map((operation) => domain.semanticsOf(operation).command(operation, bare)?.arguments.join(' '));
    expect(commands(operationsFor(bare))).to.deep.equal(['br-set-external-id br-blue note ovn-uplinks: hello']);
    expect(commands(operationsFor(programmed(), withoutNetworks))).to.deep.equal(['br-set-external-id br-blue note']);
  });

  it('is a failure of its networks if its operation fails', () => {
    const [operation] = operationsFor(bare).filter(isOnNote);
    const plan = planned(objects, bare);
    const [state] = domain.nodeStatus(plan, [{ operation: operation!, error: 'no' }]);
    expect(state?.status.networks?.map(({ name, message }) => `${name} ${message}`)).to.deep.equal(
      ['blue', 'red'].map((name) => `${name} failed: + note on br-blue: ovn-uplinks: hello: no`),
    );
  });

  it('is reversed by the inverse of each operation', () => {
    for (const [on, operations] of [
      [bare, operationsFor(bare)],
      [stale(), operationsFor(stale())],
      [programmed(), operationsFor(programmed(), withoutNetworks)],
    ] as const) {
      let at: NodeSnapshot = on;
      for (const operation of operations) {
        const then = applied(at, [operation]);
        if (isOnNote(operation)) {
          const back = applied(then, domain.semanticsOf(operation).inverse(operation, at));
          expect(testing.normalForm(back)).to.deep.equal(testing.normalForm(at));
        }
        at = then;
      }
    }
  });

  it('is removed with the last network of the bridge, which leaves the node as it was', () => {
    const one = { ...objects, clusterUserDefinedNetworks: objects.clusterUserDefinedNetworks.slice(0, 1) };
    expect(noteLines(operationsFor(programmed(), one))).to.deep.equal([]);
    const operations = operationsFor(programmed(), withoutNetworks);
    expect(noteLines(operations)).to.deep.equal(['- blue+red remove-bridge-note: note on br-blue: ovn-uplinks: hello']);
    expect(testing.normalForm(applied(programmed(), operations))).to.deep.equal(testing.normalForm(bare));
  });

  it('reaches the same state after a crash at every operation', () => {
    const operations = operationsFor(bare);
    for (const [position, operation] of operations.entries()) {
      for (const point of ['announced', 'done'] as const) {
        const model = new testing.NodeModel(applied(bare, operations.slice(0, position)));
        model.crash(operation, point);
        const after = applied(model.snapshot, operationsFor(model.snapshot));
        expect(testing.normalForm(after)).to.deep.equal(testing.normalForm(programmed()));
      }
    }
  });

  it('stays on the bridge of a network that is held', () => {
    const { programmed: networks, kept } = planned(objects, programmed()).dataplane;
    expect([networks.length, kept.length]).to.deep.equal([2, 0]);
    const held = { ...objects, networkAttachmentDefinitions: [] };
    const plan = planned(held, programmed());
    expect(plan.dataplane.kept.map((each) => domain.nameOfNetwork(each.network))).to.deep.equal(['blue', 'red']);
    expect(noteLines(domain.diffNode(plan, programmed()))).to.deep.equal([]);
  });

  it('obeys every law: in these cases, and in generated cases and stories', () => {
    const { engine } = testing;
    const nodes = [bare, programmed(), stale(), withNote(bare, 'hello')];
    const labels = nodes.flatMap((each) =>
      testing.checkLaws(engine, { cluster: objects, nodes: [each], settings: domain.defaultSettings }),
    );
    expect(labels).to.include('operations');
    for (const law of testing.laws) {
      const extent = {
        numRuns: caseCount(10),
        includeErrorInReport: true,
      };
      if (law.about === 'cases') {
        const check = testing.checkLaw(law, engine);
        fc.assert(
          fc.property(testing.cases, fc.nat(), (subject, number) => void check(subject, number)),
          extent,
        );
      } else {
        const check = testing.checkLaw(law, engine);
        fc.assert(
          fc.property(testing.stories, fc.nat(), (story, number) => void check(story, number)),
          extent,
        );
      }
    }
  });
});
