import { expect } from 'chai';
import type { ExposedPort } from '../../../../src/domain/dataplane/pipeline/bridge-input.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';
import { ExposedChanges } from '../../../../src/domain/services/exposed-changes.ts';
import { blueWay as way } from './served-scene.ts';

const port = (number: number, address?: string): ExposedPort => ({
  family: 4,
  protocol: 'tcp',
  address: address ?? '192.0.2.6',
  port: number,
  isOfService: address !== undefined,
});

const exposed = (...ports: readonly ExposedPort[]) => ({ way, ports });

/** Flows in a few words: what the tests are about. */
const brief = ({ table, priority, match }: BridgeFlow) =>
  [
    `${String(table)}/${String(priority)}`,
    /tp_dst=\d+/.exec(match)?.[0],
    /nw_(?:src|dst)=192\.0\.2\.50/.exec(match)?.[0],
  ]
    .filter(Boolean)
    .join(' ');

describe('the flows by which Services are reached', () => {
  let changes: ExposedChanges;
  let found: readonly BridgeFlow[];
  beforeEach(() => {
    [changes, found] = [new ExposedChanges(), []];
  });

  /** Makes all changes. @returns them in a few words */
  function made(isReady: (key: string) => boolean = () => true): readonly string[] {
    changes.take(found);
    const [obsolete, missing] = [changes.obsolete, changes.missing(isReady)];
    const gone = new Set(obsolete.map(({ entity }) => entity.flow));
    found = [...found.filter((flow) => !gone.has(flow)), ...missing.map(({ entity }) => entity.flow)];
    changes.take(found);
    return [...obsolete, ...missing].map(({ verb, entity }) => `${verb} ${brief(entity.flow)}`).sort();
  }

  const forPort = ['add 0/90', 'add 1/60 tp_dst=30080', 'add 26/0', 'add 26/100'];

  it('are added for a port of a Service, and nothing again', () => {
    changes.set('blue/web', exposed(port(30_080)));
    expect(made()).to.deep.equal(forPort);
    expect(made()).to.deep.equal([]);
  });

  it('of a Service that others have as well are added once, and go with the last one', () => {
    changes.set('blue/web', exposed(port(30_080)));
    changes.set('blue/api', exposed(port(30_081)));
    expect(made()).to.have.length(5);
    changes.set('blue/web', 'none');
    expect(made()).to.deep.equal(['remove 1/60 tp_dst=30080']);
    changes.set('blue/api', 'none');
    expect(made()).to.deep.equal(['remove 0/90', 'remove 1/60 tp_dst=30081', 'remove 26/0', 'remove 26/100']);
    expect(found).to.deep.equal([]);
  });

  it('of an address are all that it is reached by', () => {
    changes.set('blue/web', exposed(port(80, '192.0.2.50'), port(443, '192.0.2.50')));
    expect(made()).to.deep.equal([
      'add 0/101 nw_src=192.0.2.50',
      'add 0/101 nw_src=192.0.2.50',
      'add 0/90',
      'add 1/55 nw_dst=192.0.2.50',
      'add 1/60 tp_dst=443 nw_dst=192.0.2.50',
      'add 1/60 tp_dst=80 nw_dst=192.0.2.50',
      'add 26/0',
      'add 26/100 nw_src=192.0.2.50',
    ]);
  });

  it('wait until a Service that needs them is ready', () => {
    changes.set('blue/web', exposed(port(30_080)));
    expect(made(() => false)).to.deep.equal([]);
    expect([...changes.incomplete]).to.deep.equal(['blue/web']);
    expect(made((key) => key === 'blue/web')).to.deep.equal(forPort);
    expect([...changes.incomplete]).to.deep.equal([]);
  });

  it('are added again where another program has removed or changed one', () => {
    changes.set('blue/web', exposed(port(30_080)));
    made();
    found = found
      .map((flow) => (flow.priority === 60 ? { ...flow, actions: 'drop' } : flow))
      .filter(({ table }) => table !== 26);
    expect(made()).to.deep.equal(['add 26/0', 'add 26/100', 'replace 1/60 tp_dst=30080']);
  });

  it('are removed where no Service needs them, such as those of an agent before', () => {
    changes.set('blue/web', exposed(port(30_080)));
    made();
    changes = new ExposedChanges();
    expect(made()).to.have.length(4);
  });

  it('stay as long as it is not decided what a Service needs, but for those that others had', () => {
    changes.set('blue/web', exposed(port(30_080)));
    made();
    const before = found;
    changes = new ExposedChanges();
    changes.set('blue/web', 'undecided');
    changes.set('blue/api', exposed(port(30_081)));
    expect(made()).to.deep.equal(['add 1/60 tp_dst=30081']);
    changes.set('blue/api', 'none');
    expect(made()).to.deep.equal(['remove 1/60 tp_dst=30081']);
    changes.set('blue/web', exposed(port(30_080)));
    made();
    expect(found.map(brief).sort()).to.deep.equal(before.map(brief).sort());
  });

  it('are those of others only once it has been read which there are', () => {
    changes.set('blue/web', exposed(port(30_080)));
    made();
    changes = new ExposedChanges();
    changes.set('blue/web', 'undecided');
    changes.set('blue/api', exposed(port(30_080)));
    expect([...changes.incomplete]).to.deep.equal(['blue/api']);
    expect(made()).to.deep.equal([]);
    changes.set('blue/api', 'none');
    expect(made()).to.deep.equal([]);
  });

  it('stay where it is not decided any more what a Service needs', () => {
    changes.set('blue/web', exposed(port(30_080)));
    made();
    changes.set('blue/web', 'undecided');
    expect(made()).to.deep.equal([]);
    changes.set('blue/web', 'none');
    expect(made()).to.have.length(4);
  });
});
