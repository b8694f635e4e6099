/**
 * On a node that looks for duplicates of its IPv6 addresses, as nodes of a cluster do and others of the lab do not, an address that was through a
 * cycle of its link cannot be used for some seconds, not even as the source of a route.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Operation, recover } from '../../../src/domain/index.ts';
import { applyOperation } from '../../../src/domain/operations/operation-meaning.ts';
import { bridge } from './bridge.ts';
import { clusterOf } from './clusters.ts';
import { ip, sysctl } from './commands.ts';
import type { LabNode } from './node.ts';
import { sharedMachine } from './shared-machine.ts';
import { clusterNode } from './story-node.ts';
import { commandOf, isRefused, NodeAndModel } from './node-and-model.ts';

/** Milliseconds after which an address has to be known to have no duplicate: many times what it takes. */
const DEADLINE = 60_000;

/** Milliseconds between two tries: without them a try a moment would take the processor from other tests for seconds. */
const PAUSE = 200;

const NOT_YET = 'Invalid source address';

describe('a route whose source the kernel still looks for duplicates of', () => {
  const options = { devices: ['br-blue'], names: ['blue'] };
  const wanted = clusterOf([{ name: 'blue', device: 'br-blue', targetVRF: 'auto' }], options);
  let node: LabNode;
  let both: NodeAndModel;

  beforeEach(async () => {
    node = await (await sharedMachine()).node('address-detection');
    await node.does(
      ...clusterNode,
      ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
      ip`route add 2001:db8:99::/48 via 2001:db8:b::1 dev br-blue src 2001:db8:b::6 proto static`,
      sysctl`-qw net.ipv6.conf.all.accept_dad=1`,
      // So long that the first try comes before the end of it also on a slow machine.
      sysctl`-qw net.ipv6.conf.br-blue.dad_transmits=5`,
    );
    both = await NodeAndModel.of(node);
  });
  afterEach(() => node.end());

  it('is restored by a retry, when the interface is enslaved and when it is released', async () => {
    const start = both.model;
    for (const [cluster, table] of [[wanted, 1011] as const, [clusterOf([], options), 254] as const]) {
      expect(await apply(await both.plan(cluster), 'tries again')).to.deep.equal([]);
      expect(tablesOf('2001:db8:99::/48')).to.deep.equal([table]);
      expect(await both.plan(cluster)).to.deep.equal([]);
    }
    const differences = await both.differences(start);
    expect(differences.filter((line) => !line.includes('l3mdev'))).to.deep.equal([]);
  });

  it('is restored by the undo of a failed membership, with retries', async () => {
    const start = both.model;
    const [failed, ...rest] = await apply(await both.plan(wanted), 'gives up');
    expect(failed).to.deep.include({ verb: 'put-back', device: 'br-blue' });
    const { undo } = recover(failed!, rest, both.model);
    expect(await apply(undo, 'tries again')).to.deep.equal([]);
    const routes = start.routes.filter(({ destination }) => destination === '2001:db8:99::/48');
    expect(tablesOf('2001:db8:99::/48')).to.deep.equal(routes.map(({ table }) => table));
  });

  function tablesOf(destination: string): readonly unknown[] {
    return both.model.routes.filter((route) => route.destination === destination).map(({ table }) => table);
  }

  /**
   * Does operations as quickly as a node does them, and looks at the node when all are done: its addresses are then ready. Gives those that are
   * still to be done, of which the first was refused, if it gives up.
   */
  async function apply(planned: readonly Operation[], then: 'gives up' | 'tries again'): Promise<readonly Operation[]> {
    let model = both.model;
    let wasRefused = false;
    for (const [place, operation] of planned.entries()) {
      const change = applyOperation(operation, model);
      if (!change.done) throw new Error(change.refusal);
      const command = commandOf(operation, model);
      const deadline = performance.now() + DEADLINE;
      for (;;) {
        const run = await node.run(command);
        if (!isRefused(run, command)) break;
        expect(run.stderr, command.join(' ')).to.include(NOT_YET);
        wasRefused = true;
        if (then === 'gives up') {
          await both.look(model.ledger);
          return planned.slice(place);
        }
        expect(performance.now()).to.be.lessThan(deadline);
        await pause(PAUSE);
      }
      model = change.node;
    }
    // Else the story would tell of nothing.
    expect(wasRefused).to.be.true;
    await both.look(model.ledger);
    expect(await both.differences(model)).to.deep.equal([]);
    return [];
  }
});
