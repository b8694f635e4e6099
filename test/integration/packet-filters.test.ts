/** The filter of nftables, on the kernel of this machine in a network namespace of its own. */
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { LegacyTables } from '../../src/adapters/procfs/legacy-tables.ts';
import { NFT_ENVIRONMENT } from '../../src/adapters/nftables/interactive-nft.ts';
import { NftFilters } from '../../src/adapters/nftables/nft-filters.ts';
import { filterFor, type FilterSurroundings } from '../../src/domain/dataplane/egress/filter-elements.ts';
import { filterTableEntity } from '../../src/domain/entities/kernel/filter-table.ts';
import type { FilterTable } from '../../src/domain/snapshot/datapath.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { LongLivedPrograms, RunningProgram } from '../../src/ports/node/long-lived-programs.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { PodHost } from './cni/pod-host.ts';

/** A host without any filter. */
class FilterHost {
  readonly host: PodHost;
  readonly filters: NftFilters;
  /** Runs before nft gets the next change of elements; once. */
  beforeChange: (() => Promise<unknown>) | undefined;

  /** The result of ending connections. */
  ending: ApplyResult = { done: true };
  /** The sources whose connections were ended, and those that the filter had then. */
  readonly ended: { readonly sources: readonly string[]; readonly sets: readonly string[] }[] = [];

  private constructor(host: PodHost) {
    this.host = host;
    // The image knows no terminal.
    const programs = new ExecaPrograms({ ...NFT_ENVIRONMENT, TERM: 'unknown' });
    const onHost: LongLivedPrograms = {
      start: (program, words, listener) => {
        const running = programs.start('nsenter', host.entering(program, words), listener);
        return { ...running, write: (text) => this.#write(text, running), end: () => running.end() };
      },
    };
    const connections = {
      end: async (sources: readonly string[]): Promise<ApplyResult> => {
        if (sources.length > 0) this.ended.push({ sources, sets: await this.#sourcesNow() });
        return this.ending;
      },
    };
    this.filters = new NftFilters(onHost, connections, new LegacyTables(host.netFolder));
  }

  static async start(): Promise<FilterHost> {
    return new FilterHost(await PodHost.start('/nowhere'));
  }

  #write(text: string, running: RunningProgram): void {
    const first = text.includes('"element"') ? this.beforeChange : undefined;
    if (first === undefined) {
      running.write(text);
      return;
    }
    this.beforeChange = undefined;
    void first().then(() => running.write(text));
  }

  async #sourcesNow(): Promise<readonly string[]> {
    const { filterTables } = valueOf(await this.filters.read());
    return filterTables.flatMap(({ sets }) => [...(sets['sources4'] ?? []), ...(sets['sources6'] ?? [])]);
  }

  async end(): Promise<void> {
    await this.filters.close();
    await this.host.stop();
  }
}

const surroundings: FilterSurroundings = {
  ways: { 4: ['eth0'], 6: ['eth0', 'eth1'] },
  denied: [
    '0.0.0.0/8',
    '10.0.0.0/9',
    '10.128.0.0/9',
    '192.0.2.11/32',
    '224.0.0.0/3',
    '::ffff:10.0.0.0/104',
    'fe80::/10',
  ],
  allowed: ['0.0.0.0/0', '2001:db8::10/128'],
};

/** The filter for the networks with some ids. */
function filterOf(ids: readonly number[], more: Partial<FilterSurroundings> = {}): FilterTable {
  const networks = ids.map((id) => ({
    devices: [`ovn-k8s-mp${id}`, `net${id}`],
    networkAddresses: [
      { family: 4, address: `169.254.0.${10 + 2 * id}` },
      { family: 6, address: `fd69::${(10 + 2 * id).toString(16)}` },
    ] as const,
  }));
  return filterFor(networks, { ...surroundings, ...more });
}

/** An operation that makes, changes or removes a filter. */
const operation = (verb: 'add' | 'replace' | 'remove', table: FilterTable) =>
  ({ verb, networks: [], entity: filterTableEntity(table) }) as const;

const TABLE = 'inet ovn-uplinks-egress';
const one = filterOf([1]);
const two = filterOf([1, 2]);

describe('the filter of nftables', () => {
  let filterHost: FilterHost;
  beforeEach(async () => {
    filterHost = await FilterHost.start();
  });
  afterEach(async () => {
    await filterHost.end();
  });

  const read = async () => valueOf(await filterHost.filters.read());
  const tables = async () => (await read()).filterTables;
  const apply = (verb: 'add' | 'replace' | 'remove', table: FilterTable) =>
    filterHost.filters.apply(operation(verb, table));
  const done = { done: true };

  it('is not there at first', async () => {
    expect(await read()).to.deep.equal({ filterTables: [], forwardDrops: [] });
  });

  it('is made, and is read as it was to be', async () => {
    expect(await apply('add', two)).to.deep.equal(done);
    expect(await read()).to.deep.equal({ filterTables: [two], forwardDrops: [] });
  });

  it('ends the connections of networks that it no longer lets out, while it still drops what is not translated', async () => {
    const [kept, gone] = [
      ['169.254.0.12', 'fd69::c'],
      ['169.254.0.14', 'fd69::e'],
    ] as const;
    const both = [kept[0], gone[0], kept[1], gone[1]];
    for (const table of [one, two, { ...two, isIntact: false }]) await apply('replace', table);
    expect(filterHost.ended).to.deep.equal([]);
    await apply('replace', one);
    await apply('remove', one);
    expect(filterHost.ended).to.deep.equal([
      { sources: gone, sets: both },
      { sources: kept, sets: kept },
    ]);
  });

  it('stays where they cannot be ended, and says why', async () => {
    await apply('add', two);
    filterHost.ending = { done: false, error: 'ovs-ofctl: no answer' };
    expect(await apply('replace', one)).to.deep.equal(filterHost.ending);
    expect(await tables()).to.deep.equal([two]);
  });

  it('is the same object as long as it is the same', async () => {
    await apply('add', one);
    const [first, second] = [await read(), await read()];
    expect(second).to.equal(first);
    await apply('replace', two);
    const third = await read();
    expect(third).not.to.equal(first);
    expect(third.forwardDrops).to.equal(first.forwardDrops);
  });

  it('gets and loses elements in place, without its rules being made again', async () => {
    await apply('add', one);
    const rules = async () =>
      (await filterHost.host.does(`nft --handle list table ${TABLE}`)).match(/chain .* # handle .*|comment .*/g);
    const before = await rules();
    for (const wanted of [two, filterOf([2]), filterOf([]), one]) {
      expect(await apply('replace', wanted)).to.deep.equal(done);
      expect(await tables()).to.deep.equal([wanted]);
      expect(await rules()).to.deep.equal(before);
    }
  });

  it('gets subnets in the place of others that they contain, or that contain them, in one change', async () => {
    await apply('add', one);
    for (const denied of [['10.0.0.0/8'], ['10.244.0.0/16', '10.244.3.4/32'], ['10.244.3.4/32'], ['0.0.0.0/0'], []]) {
      const wanted = filterOf([1], { denied });
      expect(await apply('replace', wanted), denied.join()).to.deep.equal(done);
      expect(await tables()).to.deep.equal([wanted]);
    }
  });

  const changes: Readonly<Record<string, string>> = {
    'another chain': `nft add chain ${TABLE} other`,
    'another set': `nft 'add set ${TABLE} other { type mark; }'`,
    'another rule': `nft insert rule ${TABLE} prerouting accept`,
    'no rules': `nft flush chain ${TABLE} forward`,
    'another policy': `nft 'add chain ${TABLE} forward { policy drop; }'`,
    'a range of addresses': `nft 'add element ${TABLE} allowed6 { fd00::1-fd00::6 }'`,
  };
  for (const [what, command] of Object.entries(changes)) {
    it(`is as it was to be again once another program has given it ${what}`, async () => {
      await apply('add', two);
      await filterHost.host.does(command);
      expect((await tables()).map(({ isIntact }) => isIntact)).to.deep.equal([false]);
      expect(await apply('replace', two)).to.deep.equal(done);
      expect(await tables()).to.deep.equal([two]);
    });
  }

  it('is made in the place of a table of another program of that name, and leaves others alone', async () => {
    const { host } = filterHost;
    await host.does(
      'nft add table inet ovn-uplinks; nft add table ip ovn-uplinks-egress; nft add chain ip ovn-uplinks-egress last',
    );
    const before = await host.does('nft list ruleset');
    await host.does(`nft 'add table ${TABLE}; add set ${TABLE} ports { type mark; elements = { 1 }; }'`);
    expect((await tables()).map(({ isIntact }) => isIntact)).to.deep.equal([false]);
    expect(await apply('add', two)).to.deep.equal(done);
    expect(await tables()).to.deep.equal([two]);
    expect(await apply('remove', two)).to.deep.equal(done);
    expect(await host.does('nft list ruleset')).to.equal(before);
  });

  it('is removed, whether it is there or not', async () => {
    await apply('add', one);
    for (const _ of ['there', 'gone']) {
      expect(await apply('remove', one)).to.deep.equal(done);
      expect(await tables()).to.deep.equal([]);
    }
  });

  it('is changed as it is then, not as it was read: elements that another program added or removed are no obstacle', async () => {
    await apply('add', two);
    await tables();
    await filterHost.host.does(
      `nft 'delete element ${TABLE} sources4 { 169.254.0.12 }; add element ${TABLE} ports { eth9 }; delete element ${TABLE} ports { net2 }'`,
    );
    expect(await apply('replace', one)).to.deep.equal(done);
    expect(await tables()).to.deep.equal([one]);
    await filterHost.host.does('nft flush ruleset');
    expect(await apply('replace', two)).to.deep.equal(done);
    expect(await tables()).to.deep.equal([two]);
  });

  it('is as it was to be after another attempt where an element is gone between reading and changing it', async () => {
    await apply('add', two);
    filterHost.beforeChange = () => filterHost.host.does(`nft delete element ${TABLE} sources4 '{ 169.254.0.14 }'`);
    const refused = await apply('replace', one);
    expect(refused).to.include({ done: false, isRefused: true });
    expect(refused).to.have.property('error').include('No such file or directory');
    expect(await apply('replace', one)).to.deep.equal(done);
    expect(await tables()).to.deep.equal([one]);
  });

  it('is as it was to be after another attempt where it is gone between reading and changing it', async () => {
    await apply('add', one);
    filterHost.beforeChange = () => filterHost.host.does('nft flush ruleset');
    expect(await apply('replace', two)).to.include({ done: false, isRefused: true });
    expect(await apply('replace', two)).to.deep.equal(done);
    expect(await tables()).to.deep.equal([two]);
  });

  it('is refused with the words of nft, as a whole, and made by the next operation', async () => {
    await apply('add', one);
    const tooLong = { ...one, sets: { ...one.sets, ports: ['longer-than-16-bytes'], ways4: ['eth5'] } };
    const result = await apply('replace', tooLong);
    expect(result).to.include({ done: false, isRefused: true });
    expect(result)
      .to.have.property('error')
      .match(/^the program nft printed: .*Error: /);
    expect(await tables()).to.deep.equal([one]);
    expect(await apply('replace', two)).to.deep.equal(done);
  });

  it('is refused where elements overlap', async () => {
    await apply('add', one);
    const overlapping = { ...one, sets: { ...one.sets, denied4: ['10.244.0.0/16', '10.244.3.4'] } };
    expect(await apply('replace', overlapping))
      .to.have.property('error')
      .match(/conflicting intervals|interval overlaps/);
    expect(await tables()).to.deep.equal([one]);
  });

  describe('where a listener is told of changes', () => {
    let told: PromiseWithResolvers<undefined>;
    let count: number;
    /** Returns once a listener was told of what is done. */
    const tells = async (does: () => Promise<unknown>) => {
      told = Promise.withResolvers();
      await does();
      await told.promise;
    };
    const tellsOf = (command: string) => tells(() => filterHost.host.does(command));
    beforeEach(async () => {
      // It may have missed changes until it is told first.
      await tells(() => {
        filterHost.filters.onChange(() => {
          count += 1;
          told.resolve(undefined);
        });
        return Promise.resolve();
      });
      await tells(() => apply('add', one));
      count = 0;
    });

    it('is one that is lost with all others', async () => {
      await tellsOf('nft flush ruleset');
      expect(await tables()).to.deep.equal([]);
    });

    it('is one with an element less, or a rule more', async () => {
      await tellsOf(`nft 'delete element ${TABLE} ports { net1 }'`);
      await tellsOf(`nft insert rule ${TABLE} forward accept`);
    });

    it('are chains of others that drop what passes the node, which come, change and go', async () => {
      await read();
      const chain = 'ip filter FORWARD';
      await tellsOf(
        `nft 'add table ip filter; add chain ${chain} { type filter hook forward priority 0; policy drop; }'`,
      );
      expect((await read()).forwardDrops).to.deep.equal([{ family: 'ip', table: 'filter', chain: 'FORWARD' }]);
      await tellsOf(`nft 'add chain ${chain} { policy accept; }'`);
      expect((await read()).forwardDrops).to.deep.equal([]);
      await tellsOf(`nft 'add chain ${chain} { policy drop; }'`);
      expect((await read()).forwardDrops).to.have.length(1);
      await tellsOf('nft delete table ip filter');
      expect((await read()).forwardDrops).to.deep.equal([]);
    });

    it('are those of iptables-nft', async () => {
      await read();
      await tellsOf('iptables-nft --policy FORWARD DROP');
      expect((await read()).forwardDrops).to.deep.equal([{ family: 'ip', table: 'filter', chain: 'FORWARD' }]);
      await tellsOf('iptables-nft --policy FORWARD ACCEPT');
      expect((await read()).forwardDrops).to.deep.equal([]);
    });

    it('is none of iptables-legacy, whose tables are read with the others', async () => {
      await read();
      await filterHost.host.does('ip6tables-legacy --list FORWARD');
      const legacy = { family: 'ip6', table: 'filter', chain: 'FORWARD', isLegacy: true };
      expect((await read()).forwardDrops).to.deep.equal([legacy]);
      await filterHost.host.does(`nft 'add table ip6 filter; add chain ip6 filter other'`);
      await tellsOf(`nft 'delete element ${TABLE} ports { net1 }'`);
      expect(count).to.equal(1);
    });

    it('is not one of a table of others', async () => {
      await filterHost.host.does(`nft 'add table ip other; add chain ip other a; add rule ip other a accept'`);
      // The next one is printed after it.
      await tellsOf(`nft 'delete element ${TABLE} ports { net1 }'`);
      expect(count).to.equal(1);
    });
  });
});
