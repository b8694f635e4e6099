import { expect } from 'chai';
import { readNextHopObjects } from '../../../../src/adapters/iproute2-json/next-hop-objects.ts';
import { readRoutes } from '../../../../src/adapters/iproute2-json/routes.ts';
import { readRules } from '../../../../src/adapters/iproute2-json/rules.ts';
import { valueOf } from '../readings.ts';

/** The output of iproute2 6.1 on Linux 6.1, without and with -N. */
const routes: readonly (readonly [named: object, numbered: object])[] = [
  [
    { type: 'local', dst: '127.0.0.1', dev: 'lo', table: 'local', protocol: 'kernel', scope: 'host' },
    { type: '2', dst: '127.0.0.1', dev: 'lo', table: '255', protocol: '2', scope: '254' },
  ],
  [
    { type: 'broadcast', dst: '127.255.255.255', dev: 'lo', table: 'local', protocol: 'kernel', scope: 'link' },
    { type: '3', dst: '127.255.255.255', dev: 'lo', table: '255', protocol: '2', scope: '253' },
  ],
  [
    { type: 'unicast', dst: '10.3.0.0/16', dev: 'd0', table: 'main', protocol: 'ra', scope: 'site' },
    { type: '1', dst: '10.3.0.0/16', dev: 'd0', table: '254', protocol: '9', scope: '200' },
  ],
  [
    { type: 'unicast', dst: '10.4.0.0/16', dev: 'd0', table: 'default', protocol: 'boot', scope: '7' },
    { type: '1', dst: '10.4.0.0/16', dev: 'd0', table: '253', protocol: '3', scope: '7' },
  ],
  [
    {
      type: 'unicast',
      dst: '10.6.0.0/16',
      gateway: '192.0.2.2',
      dev: 'd0',
      table: '1',
      protocol: '94',
      scope: 'global',
    },
    { type: '1', dst: '10.6.0.0/16', gateway: '192.0.2.2', dev: 'd0', table: '1', protocol: '94', scope: '0' },
  ],
  ...(
    [
      ['anycast', '4'],
      ['multicast', '5'],
      ['blackhole', '6'],
      ['unreachable', '7'],
      ['prohibit', '8'],
      ['throw', '9'],
    ] as const
  ).map(
    ([name, number]) =>
      [
        { type: name, dst: '10.9.0.0/16', dev: 'lo', table: '77' },
        { type: number, dst: '10.9.0.0/16', dev: 'lo', table: '77' },
      ] as const,
  ),
  ...(
    [
      ['unspec', '0'],
      ['redirect', '1'],
      ['static', '4'],
      ['gated', '8'],
      ['mrt', '10'],
      ['zebra', '11'],
      ['bird', '12'],
      ['dnrouted', '13'],
      ['xorp', '14'],
      ['ntk', '15'],
      ['dhcp', '16'],
      ['17', '17'],
      ['keepalived', '18'],
      ['babel', '42'],
      ['84', '84'],
      // As printed by iproute2 6.15.
      ['ovn', '84'],
      ['85', '85'],
      ['openr', '99'],
      ['bgp', '186'],
      ['isis', '187'],
      ['ospf', '188'],
      ['rip', '189'],
      ['190', '190'],
      ['eigrp', '192'],
    ] as const
  ).map(
    ([name, number]) =>
      [
        { dst: '10.9.0.0/16', dev: 'lo', table: '77', protocol: name },
        { dst: '10.9.0.0/16', dev: 'lo', table: '77', protocol: number },
      ] as const,
  ),
  [
    { dst: '10.9.0.0/16', dev: 'lo', protocol: 'kernel', scope: 'nowhere' },
    { dst: '10.9.0.0/16', dev: 'lo', protocol: '2', scope: '255' },
  ],
];

const rules: readonly (readonly [named: object, numbered: object])[] = [
  [
    { priority: 0, src: 'all', table: 'local', protocol: 'kernel' },
    { priority: 0, src: 'all', table: '255', protocol: '2' },
  ],
  [
    { priority: 1999, src: 'all', fwmark: '0x1001', table: '1007', protocol: '94' },
    { priority: 1999, src: 'all', fwmark: '0x1001', table: '1007', protocol: '94' },
  ],
  ...(
    [
      ['blackhole', '6'],
      ['unreachable', '7'],
      ['prohibit', '8'],
    ] as const
  ).map(
    ([name, number]) =>
      [
        { priority: 3, src: 'all', action: name, protocol: 'unspec' },
        { priority: 3, src: 'all', action: number, protocol: '0' },
      ] as const,
  ),
  ...(
    [
      ['icmp', '1'],
      ['tcp', '6'],
      ['udp', '17'],
      ['dccp', '33'],
      ['gre', '47'],
      ['esp', '50'],
      ['ah', '51'],
      ['ipv6-icmp', '58'],
      ['sctp', '132'],
      ['udplite', '136'],
      ['ipproto-200', '200'],
    ] as const
  ).map(
    ([name, number]) =>
      [
        { priority: 4, src: 'all', ipproto: name, table: '7', protocol: 'unspec' },
        { priority: 4, src: 'all', ipproto: `ipproto-${number}`, table: '7', protocol: '0' },
      ] as const,
  ),
  [
    { priority: 5, src: 'all', table: '7', suppress_ifgroup: 'default', protocol: 'unspec' },
    { priority: 5, src: 'all', table: '7', suppress_ifgroup: '0', protocol: '0' },
  ],
  [
    { priority: 6, src: 'all', table: '7', suppress_ifgroup: '5', goto: 6, protocol: 'unspec' },
    { priority: 6, src: 'all', table: '7', suppress_ifgroup: '5', goto: 6, protocol: '0' },
  ],
];

const objects: readonly (readonly [named: object, numbered: object])[] = [
  [
    { id: 2, dev: 'eth0', scope: 'host', protocol: 'unspec' },
    { id: 2, dev: 'eth0', scope: '254', protocol: '0' },
  ],
  [
    { id: 5, dev: 'eth0', scope: 'link', protocol: 'static' },
    { id: 5, dev: 'eth0', scope: '253', protocol: '4' },
  ],
  [
    { id: 6, scope: 'global', blackhole: null, protocol: '94' },
    { id: 6, scope: '0', blackhole: null, protocol: '94' },
  ],
];

describe('the output of ip with -N is read as that without it', () => {
  const sameAs = (pairs: typeof routes, read: (entry: object) => unknown) => {
    for (const [named, numbered] of pairs) expect(read(numbered), JSON.stringify(named)).to.deep.equal(read(named));
  };

  it('for routes', () => {
    for (const family of [4, 6] as const) {
      const toFamily = (entry: object) => (family === 6 ? { ...entry, dst: 'default', gateway: undefined } : entry);
      sameAs(routes, (entry) =>
        valueOf(readRoutes(JSON.stringify([toFamily(entry)]), 'ip-route.json', family, new Map())),
      );
    }
  });

  it('for rules', () => {
    sameAs(rules, (entry) => valueOf(readRules(JSON.stringify([entry]), 'ip-rule.json', 4)));
  });

  it('for next hop objects', () => {
    sameAs(objects, (entry) => valueOf(readNextHopObjects(JSON.stringify([entry]), 'ip-nexthop.json')));
  });

  it('except for a table with a name of the machine, whose number is then known', () => {
    const tableOf = (table: string) =>
      valueOf(readRoutes(JSON.stringify([{ dst: 'default', table }]), 'ip-route.json', 4, new Map()))[0]?.table;
    expect(tableOf('blue')).to.equal('blue');
    expect(tableOf('1007')).to.equal(1007);
  });
});
