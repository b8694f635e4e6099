import { expect } from 'chai';
import { KnownSurroundings } from '../../../../src/control/pods/known-surroundings.ts';
import type { ReachableService } from '../../../../src/domain/pods/interface-lock.ts';
import { valueOf } from '../../adapters/readings.ts';

const nothing = { services: [], addresses: [], missing: [], unreached: [] };
const api = { protocol: 'tcp', address: '10.96.0.1' } as const;

describe('known surroundings', () => {
  it('are the same object as long as they do not change', () => {
    let port = 443;
    const surroundings = new KnownSurroundings({
      warnings: [],
      read: () => ({ read: true, value: { ...nothing, services: [{ ...api, port } satisfies ReachableService] } }),
      onChange: () => () => undefined,
    });
    surroundings.update({ links: [] });
    const read = () => valueOf(surroundings.read());
    const before = read();
    expect(read() === before).to.equal(true);
    port = 6443;
    expect(read().services).to.deep.equal([{ ...api, port: 6443 }]);
    const changed = read();
    expect(read() === changed).to.equal(true);
  });
});
