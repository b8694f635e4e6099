import { expect } from 'chai';
import type { Neighbour, NodeSnapshot, Route } from '../../../../src/domain/index.ts';
import { domains } from '../dataplane/dataplane-input.ts';
import { route } from '../entities/host-entities.ts';
import { dataplane, keptBy, nodeOf, plannedLines, programmedNode } from './plans.ts';

const own = domains['its own VRF'];
const blue = { defaultGateways: ['192.0.2.1'] };
const done = () => programmedNode(nodeOf(), blue);
const wantedLines = (node: NodeSnapshot) => plannedLines(node, [dataplane(node, blue)]);

const ownRoute = route('10.9.0.0/16', { table: 1012, protocol: '94' });
const ownRule = { family: 4, priority: 1999, mark: 0x1099, table: 1099, protocol: '94', others: {} } as const;
const ownNeighbour = {
  device: 'br-blue',
  address: '169.254.0.9',
  macAddress: '0a:58:a9:fe:00:09',
  states: ['permanent'],
  protocol: '94',
};

describe('an obsolete managed entity', () => {
  it('is removed, and nothing else', () => {
    const node = done();
    expect(wantedLines({ ...node, routes: [...node.routes, ownRoute] })).to.deep.equal([
      '- blue delete-route: route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 1012',
    ]);
    expect(wantedLines({ ...node, rules: [...node.rules, ownRule] })).to.deep.equal([
      '- nobody delete-rule: IPv4 rule 1999: mark 0x1099 looks up table 1099',
    ]);
    expect(wantedLines({ ...node, neighbours: [...node.neighbours, ownNeighbour] })).to.deep.equal([
      '- blue delete-neighbour: neighbour 169.254.0.9 at 0a:58:a9:fe:00:09 on br-blue',
    ]);
  });

  it('is an address on a VRF with a ledger entry', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    const links = node.links.map((link) =>
      link.name === 'blue'
        ? {
            ...link,
            addresses: [...link.addresses, { address: '169.254.0.9', prefixLength: 32, scope: 'global', flags: [] }],
          }
        : link,
    );
    const entry = { kind: 'address', device: 'blue', address: '169.254.0.9', prefixLength: 32 } as const;
    const ledger = { ...node.ledger, entries: [...node.ledger.entries, entry] };
    expect(plannedLines({ ...node, links, ledger }, [dataplane(node, { domain: own })])).to.deep.equal([
      '- blue delete-address: address 169.254.0.9/32 on blue',
    ]);
    expect(plannedLines({ ...node, links }, [dataplane(node, { domain: own })]), 'one that is not ours').to.deep.equal(
      [],
    );
  });

  it('is a setting with a ledger entry: its former value is restored', () => {
    const name = 'net.ipv4.conf.br-blue.rp_filter';
    const node = nodeOf({
      sysctls: { [name]: '2' },
      ledger: [{ kind: 'sysctl', device: 'br-blue', name, before: '0', value: '2' }],
    });
    expect(plannedLines(node, [])).to.deep.equal([
      '~ nobody set-sysctl: net.ipv4.conf.br-blue.rp_filter = 0, as it was',
    ]);
  });

  it('stays if it belongs to a held network', () => {
    const node = done();
    const odd = {
      ...node,
      routes: [...node.routes, ownRoute],
      rules: [...node.rules, { ...ownRule, table: 1012 }],
      neighbours: [...node.neighbours, ownNeighbour],
    };
    const kept = keptBy('blue', { vrfs: ['blue'], tables: [1012], devices: ['br-blue'] });
    expect(plannedLines(odd, [], [kept])).to.deep.equal([]);
  });

  it('stays in a table of which only the name is known: it may belong to a held network', () => {
    const node = nodeOf();
    const odd = {
      ...node,
      routes: [...node.routes, { ...ownRoute, table: 'tenant' }],
      rules: [...node.rules, { ...ownRule, table: 'tenant' }],
    };
    expect(plannedLines(odd, [])).to.deep.equal([]);
  });

  it('is a rule that looks up no table', () => {
    const node = nodeOf();
    const { table: _, ...rule } = ownRule;
    expect(plannedLines({ ...node, rules: [...node.rules, rule] }, [])).to.deep.equal([
      '- nobody delete-rule: IPv4 rule 1999: mark 0x1099 looks up table none',
    ]);
  });

  it('stays on the former interface of a held network that selected another one', () => {
    const name = 'net.ipv4.conf.br-blue.rp_filter';
    const node = programmedNode(nodeOf({ sysctls: { [name]: '1' } }), blue);
    const kept = keptBy('blue', { vrfs: ['blue'], tables: [1012], devices: ['br-other'] });
    expect(plannedLines(node, [], [kept])).to.deep.equal([]);
  });

  it('is held by its table, by its interface and by its VRF', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    const kinds = (...kept: Parameters<typeof keptBy>) => [
      ...new Set(plannedLines(node, [], [keptBy(...kept)]).map((line) => line.split(' ')[2]?.slice(0, -1))),
    ];
    expect(kinds('blue', { tables: [1012] }))
      .not.to.include('delete-route')
      .and.not.to.include('delete-rule');
    expect(kinds('blue', { vrfs: ['blue'] }))
      .not.to.include('delete-vrf')
      .and.not.to.include('delete-address');
    expect(kinds('blue', { devices: ['br-blue'] }))
      .not.to.include('delete-neighbour')
      .and.not.to.include('release');
    expect(kinds('red', { devices: ['br-blue'] }), 'what it has not').to.include.members([
      'delete-route',
      'delete-rule',
      'delete-address',
    ]);
    expect(kinds('red')).to.include('remove-bridge-mapping');
    expect(kinds('blue')).not.to.include('remove-bridge-mapping');
  });
});

describe('a desired entity', () => {
  const without = (part: 'routes' | 'rules' | 'neighbours') => {
    const node = done();
    const { [part]: items } = node;
    const isOurs = ({ protocol }: { readonly protocol?: string }) => protocol === '94';
    return { ...node, [part]: (items as readonly { readonly protocol?: string }[]).filter((item) => !isOurs(item)) };
  };

  it('is added again after another program removed it', () => {
    expect(wantedLines(without('rules'))).to.deep.equal([
      '+ blue add-rule: IPv4 rule 1999: mark 0x1007 looks up table 1012',
    ]);
    expect(wantedLines(without('neighbours'))).to.deep.equal([
      '+ blue add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    ]);
    expect(wantedLines(without('routes'))).to.deep.equal([
      '+ blue add-route: route default via 192.0.2.1 dev br-blue table 1012',
      '+ blue add-route: route unreachable default metric 4278198272 table 1012',
      '+ blue add-route: route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012',
    ]);
  });

  it('is replaced in one step if only its content differs', () => {
    const node = done();
    const changed = node.routes.map((item) =>
      item.protocol === '94' && item.type === 'unicast' && item.destination === '0.0.0.0/0'
        ? { ...item, metrics: { mtu: 1300 } }
        : item,
    );
    expect(wantedLines({ ...node, routes: changed })).to.deep.equal([
      '~ blue replace-route: route default via 192.0.2.1 dev br-blue table 1012',
    ]);
    const neighbours = node.neighbours.map((item) => ({ ...item, macAddress: '02:00:00:00:00:99' }));
    expect(wantedLines({ ...node, neighbours })).to.deep.equal([
      '+ blue add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    ]);
  });

  it('is not added if an appended one with the same key serves, in any order', () => {
    const node = done();
    const isDefault = ({ table, type, destination }: Route) =>
      table === 1012 && type === 'unicast' && destination === '0.0.0.0/0';
    const right = node.routes.find(isDefault)!;
    const wrong = { ...right, metrics: { mtu: 9000 } };
    const theirs = { ...right, protocol: 'static' };
    const rest = node.routes.filter((item) => !isDefault(item));
    for (const routes of [
      [wrong, theirs],
      [theirs, wrong],
      [wrong, right],
    ]) {
      expect(wantedLines({ ...node, routes: [...rest, ...routes] })).to.deep.equal([
        '- blue delete-route: route default via 192.0.2.1 dev br-blue table 1012',
      ]);
    }
  });

  it('replaces an entry that the kernel learned', () => {
    const node = done();
    const neighbours = node.neighbours.map(({ protocol: _protocol, ...item }) => ({ ...item, states: ['stale'] }));
    expect(wantedLines({ ...node, neighbours })).to.deep.equal([
      '+ blue add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    ]);
  });

  it('is not added if an unmanaged one is the same, which is not adopted', () => {
    const node = done();
    const foreign = {
      ...node,
      routes: node.routes.map((item) => (item.protocol === '94' ? { ...item, protocol: 'static' } : item)),
      rules: node.rules.map((item) => (item.protocol === '94' ? { ...item, protocol: 'boot' } : item)),
      neighbours: node.neighbours.map(({ protocol: _protocol, ...item }) => item),
    };
    expect(wantedLines(foreign)).to.deep.equal([]);
    expect(plannedLines(foreign, [])).to.deep.equal([
      '- blue remove-bridge-mapping: bridge mapping cluster_udn_blue:br-blue',
      '- blue delete-vrf: VRF blue',
    ]);
  });

  it('is not added if the address exists, whoever added it', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    const ledger = { ...node.ledger, entries: node.ledger.entries.filter(({ kind }) => kind !== 'address') };
    expect(plannedLines({ ...node, ledger }, [dataplane(node, { domain: own })])).to.deep.equal([]);
  });

  it('is not a setting that already has the value', () => {
    const name = 'net.ipv4.conf.br-blue.rp_filter';
    const node = nodeOf({ sysctls: { [name]: '2', 'net.ipv4.conf.all.rp_filter': '1' } });
    expect(plannedLines(node, [dataplane(node)]).join()).not.to.include('sysctl');
  });
});

describe('a bridge mapping', () => {
  const OWN = 'ovn-uplinks-bridge-mappings';
  const MAPPINGS = 'ovn-bridge-mappings';
  const entry = 'cluster_udn_blue:br-blue';
  const mapped = (mappings: string | undefined, ours?: string) => {
    const node = {
      ...done(),
      switchExternalIds: {
        ...(mappings !== undefined && { [MAPPINGS]: mappings }),
        ...(ours !== undefined && { [OWN]: ours }),
      },
    };
    return { wanted: wantedLines(node), unwanted: plannedLines(node, []).filter((line) => line.includes('mapping')) };
  };
  const add = '+ blue add-bridge-mapping: bridge mapping cluster_udn_blue:br-blue';
  const remove = (bridge: string) => `- blue remove-bridge-mapping: bridge mapping cluster_udn_blue:${bridge}`;

  const states: readonly (readonly [
    what: string,
    mappings: string | undefined,
    ours: string | undefined,
    wanted: readonly string[],
    unwanted: readonly string[],
  ])[] = [
    ['there is none', undefined, undefined, [add], []],
    ['it is ours', entry, entry, [], [remove('br-blue')]],
    ['it is not ours', entry, undefined, [], []],
    [
      'it is ours to another bridge',
      'cluster_udn_blue:br-old',
      'cluster_udn_blue:br-old',
      [remove('br-old'), add],
      [remove('br-old')],
    ],
    ['another program removed ours', 'physnet:br-ex', entry, [add], [remove('br-blue')]],
    ['another program put a gap before ours', `physnet:br-ex,,${entry}`, entry, [add], [remove('br-blue')]],
  ];
  for (const [what, mappings, ours, wanted, unwanted] of states) {
    it(`needs ${wanted.length} operations where ${what} and it is desired, ${unwanted.length} where it is obsolete`, () => {
      expect(mapped(mappings, ours)).to.deep.equal({ wanted, unwanted });
    });
  }

  it('of a held network stays', () => {
    const node = { ...done(), switchExternalIds: { [MAPPINGS]: entry, [OWN]: entry } };
    expect(
      plannedLines(node, [], [keptBy('blue', { tables: [1012], vrfs: ['blue'], devices: ['br-blue'] })]),
    ).to.deep.equal([]);
  });
});

describe('a managed neighbour that the kernel has resolved in another VLAN', () => {
  const gateway = { device: 'br-blue', address: '192.0.2.1' };
  const linesWhere = (entry: Pick<Neighbour, 'states' | 'protocol'>, isOutdated: boolean) => {
    const node = done();
    const found = { ...gateway, macAddress: '02:00:00:00:fe:01', ...entry };
    const desired = { kind: 'neighbour', neighbour: { ...gateway, states: ['managed'], protocol: '94' } } as const;
    const plan = dataplane(node, blue);
    return plannedLines({ ...node, neighbours: [...node.neighbours, found] }, [
      { ...plan, entities: [...plan.entities, isOutdated ? { ...desired, isOutdated } : desired] },
    ]);
  };

  it('is recreated: the kernel resolves a new entry at once', () => {
    expect(linesWhere({ states: ['reachable', 'managed'], protocol: '94' }, true)).to.deep.equal([
      '- blue delete-neighbour: managed neighbour 192.0.2.1 on br-blue',
      '+ blue add-neighbour: managed neighbour 192.0.2.1 on br-blue',
    ]);
  });
  it('is unchanged in its own VLAN', () => {
    expect(linesWhere({ states: ['reachable', 'managed'], protocol: '94' }, false)).to.deep.equal([]);
  });
  it("serves if it is the administrator's", () => {
    expect(linesWhere({ states: ['permanent'] }, true)).to.deep.equal([]);
  });
});
