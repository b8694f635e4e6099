import { expect } from 'chai';
import { IpBatch } from '../../../../src/adapters/iproute2-json/batch.ts';
import { readHostTables } from '../../../../src/adapters/iproute2-json/host-tables.ts';
import { valueOf } from '../readings.ts';
import { FakeIp } from './fake-ip.ts';

const link = (up: boolean, more: object = {}) => ({
  ...{ ifindex: 3, ifname: 'br-blue', flags: up ? ['UP'] : [], mtu: 1500, link_type: 'ether', operstate: 'UNKNOWN' },
  ...more,
});

describe('the tables of a host', () => {
  /** Reads the tables of a host with one link. Each query of links or addresses prints the next of the states, and then the last one again. */
  async function read(...states: readonly object[]) {
    const ip = new FakeIp();
    let queries = 0;
    ip.answer = (command, _line, listener) => {
      const isOfLinks = /^(?:link|address) show$/.test(command);
      listener.onOutput(JSON.stringify(isOfLinks ? [states[Math.min(queries, states.length - 1)]] : []));
      if (isOfLinks) queries += 1;
    };
    const batches = [new IpBatch(ip, [], 1000), new IpBatch(ip, ['-6'], 1000)] as const;
    const { links } = valueOf(await readHostTables(...batches));
    return { links, queries };
  }

  it('are read once if no link changes meanwhile', async () => {
    const { links, queries } = await read(link(true), link(true, { mtu: 1400 }));
    expect(links).to.have.length(1);
    expect(queries).to.equal(2);
  });

  for (const [what, before, after] of [
    ['goes down', link(true), link(false)],
    ['is enslaved to a VRF', link(true), link(true, { master: 'blue' })],
    ['is renamed', link(true), link(true, { ifname: 'br-red' })],
  ] as const) {
    it(`are read again if a link ${what} between the first and the last of them`, async () => {
      const { links, queries } = await read(before, after);
      expect(links[0]).to.include({ up: after.flags.includes('UP'), name: after.ifname });
      expect(queries).to.equal(4);
    });
  }

  for (const [what, message, attempts] of [
    ['repeatedly if something else changes meanwhile', 'Dump was interrupted and may be inconsistent.', 8],
    ['once if ip hangs', undefined, 1],
  ] as const) {
    it(`are queried ${what}`, async () => {
      const ip = new FakeIp();
      let queries = 0;
      ip.answer = (command, _line, listener) => {
        if (command === 'link show') queries += 1;
        if (message === undefined) return;
        listener.onMessage(message);
        listener.onOutput('[]');
      };
      const batches = [new IpBatch(ip, [], 20), new IpBatch(ip, ['-6'], 20)] as const;
      expect(await readHostTables(...batches)).to.have.property('read', false);
      expect(queries).to.equal(attempts);
    });
  }

  it('are returned at last if links keep changing', async () => {
    const { queries } = await read(...Array.from({ length: 20 }, (_, index) => link(index % 2 === 0)));
    expect(queries).to.equal(6);
  });
});
