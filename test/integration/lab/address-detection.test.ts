/**
 * Tests with duplicate address detection (RFC 4862), which nodes of a cluster have enabled and other nodes of the lab have not: after its
 * link has gone down and up, an IPv6 address cannot be used for some seconds, not even as the source of a route.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Operation, recover } from '../../../src/domain/index.ts';
import { applyOperation } from '../../../src/domain/entities/operations/operation-semantics.ts';
import { bridge } from './bridge.ts';
import { clusterOf } from './clusters.ts';
import { ip, sysctl } from './commands.ts';
import type { LabNode } from './node.ts';
import { sharedMachine } from './shared-machine.ts';
import { clusterNode } from './story-node.ts';
import { isVrfRule } from './comparison.ts';
import { commandOf, isRefused, NodeAndModel } from './node-and-model.ts';

/** Milliseconds for duplicate address detection, many times what it takes. */
const DEADLINE = 60_000;

/** Milliseconds between two attempts, so that attempts do not take the processor from other tests. */
const PAUSE = 200;

const TENTATIVE_SOURCE = 'Invalid source address';

describe('a route whose source address is tentative', () => {
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
      // Long enough for the first attempt on a slow machine.
      sysctl`-qw net.ipv6.conf.br-blue.dad_transmits=5`,
    );
    both = await NodeAndModel.of(node);
  });
  afterEach(() => node.end());

  it('is restored by a retry after the interface is enslaved, and after it is released', async () => {
    const start = both.model;
    for (const [cluster, table] of [[wanted, 1011] as const, [clusterOf([], options), 254] as const]) {
      expect(await apply(await both.plan(cluster), 'retry')).to.deep.equal([]);
      expect(tablesOf('2001:db8:99::/48')).to.deep.equal([table]);
      expect(await both.plan(cluster)).to.deep.equal([]);
    }
    const differences = await both.differences(start, isVrfRule);
    expect(differences.filter((line) => !isVrfRule(line))).to.deep.equal([]);
  });

  it('is restored by retries after a failed membership is undone', async () => {
    const start = both.model;
    const [failed, ...rest] = await apply(await both.plan(wanted), 'give-up');
    expect(failed).to.deep.include({ verb: 'put-back', device: 'br-blue' });
    const { undo } = recover(failed!, rest, both.model);
    expect(await apply(undo, 'retry')).to.deep.equal([]);
    const routes = start.routes.filter(({ destination }) => destination === '2001:db8:99::/48');
    expect(tablesOf('2001:db8:99::/48')).to.deep.equal(routes.map(({ table }) => table));
  });

  function tablesOf(destination: string): readonly unknown[] {
    return both.model.routes.filter((route) => route.destination === destination).map(({ table }) => table);
  }

  /**
   * Applies operations as quickly as an agent does, and observes the node when all are applied, when no address is tentative any more. If it
   * gives up, returns the pending operations, the first of which was refused.
   */
  async function apply(planned: readonly Operation[], onRefusal: 'give-up' | 'retry'): Promise<readonly Operation[]> {
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
        expect(run.stderr, command.join(' ')).to.include(TENTATIVE_SOURCE);
        wasRefused = true;
        if (onRefusal === 'give-up') {
          await both.look(model.ledger);
          return planned.slice(place);
        }
        expect(performance.now()).to.be.lessThan(deadline);
        await pause(PAUSE);
      }
      model = change.node;
    }
    // Otherwise the test shows nothing.
    expect(wasRefused).to.be.true;
    await both.look(model.ledger);
    expect(await both.differences(model)).to.deep.equal([]);
    return [];
  }
});
