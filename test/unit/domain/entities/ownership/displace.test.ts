import { expect } from 'chai';
import type { LedgerEntry, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { enslave, release } from '../../../../../src/domain/node-model/membership.ts';
import { displacedBy, withDisplaced } from '../../../../../src/domain/entities/ownership/displace.ts';
import { displacedKey } from '../../../../../src/domain/entities/displaceable.ts';
import { settle } from '../../../../../src/domain/entities/ownership/settle.ts';
import { withEntries, withoutEntries } from '../../../../../src/domain/entities/ownership/write-ledger.ts';
import { type BriefNode, completeNode } from '../../../../../src/testing/index.ts';
import { devices, displaced, membership, nodeWith, hostNextHopObject, route, hostRoute } from '../host-entities.ts';

/** The node with the ledger as it is written before a membership change. */
function announced(node: NodeSnapshot): NodeSnapshot {
  return { ...node, ledger: withDisplaced(node, 'br-blue') };
}

/** The node after a membership change of ours that was announced, its ledger settled. */
function moved(node: NodeSnapshot, vrf: string | undefined): NodeSnapshot {
  const before = announced(node);
  const change = vrf === undefined ? release(before, 'br-blue') : enslave(before, 'br-blue', vrf);
  if (!change.done) throw new Error(change.refusal);
  const others = withoutEntries(change.node.ledger, ({ kind }) => kind === 'membership');
  const ledger = vrf === undefined ? others : withEntries(others, [membership({ vrf })]);
  return { ...change.node, ledger: settle({ ...change.node, ledger }) };
}

/** Displaced things of a ledger, a line each. */
function lines({ ledger }: NodeSnapshot): readonly string[] {
  return ledger.entries.flatMap((entry) =>
    entry.kind === 'displaced' ? [`${entry.state} ${displacedKey(entry.entity)}`] : [],
  );
}

const host = { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] };

const dualHost = {
  ...host,
  addresses: [
    ...host.addresses,
    { address: '2001:db8:b::6', prefixLength: 64 },
    { address: '2001:db8:b::7', prefixLength: 64, flags: ['dynamic'], validSeconds: 600, preferredSeconds: 300 },
  ],
};

const inMain = 'awaiting route 4 254 10.0.0.0/8 0   br-blue 192.0.2.1 1 false';

describe('what a membership change displaces', () => {
  const node: Omit<BriefNode, 'nodeName'> = {
    links: [dualHost, ...devices().slice(1)],
    routes: [
      route('10.0.0.0/8'),
      route('10.1.0.0/16', { table: 77 }),
      route('10.2.0.0/16', { protocol: 'bgp' }),
      route('10.3.0.0/16', { protocol: '94', table: 1012 }),
      route('10.4.0.0/16', { nextHops: [{ device: 'eth9' }] }),
    ],
    neighbours: [
      { device: 'br-blue', address: '192.0.2.9', macAddress: '02:00:00:00:00:99' },
      { device: 'br-blue', address: '192.0.2.8', macAddress: '02:00:00:00:00:98', states: ['stale'] },
      { device: 'br-blue', address: '169.254.0.4', macAddress: '0a:58:a9:fe:00:04', protocol: '94' },
    ],
    nextHopObjects: [{ id: 5, device: 'br-blue', gateway: '192.0.2.1' }],
    sysctls: { 'net.ipv6.conf.br-blue.keep_addr_on_down': '1' },
  };

  it("is what the kernel drops of the administrator's, in the order of keys", () => {
    expect(displacedBy(nodeWith(node), 'br-blue').map(displacedKey)).to.deep.equal([
      'address br-blue 2001:db8:b::7/64',
      'neighbour br-blue 192.0.2.9',
      'next-hop-object 5 ',
      'route 4 254 10.0.0.0/8 0   br-blue 192.0.2.1 1 false',
      'route 4 77 10.1.0.0/16 0   br-blue 192.0.2.1 1 false',
    ]);
  });

  it('is every IPv6 address if keep_addr_on_down is 0', () => {
    const dropped = displacedBy(nodeWith({ ...node, sysctls: {} }), 'br-blue').map(displacedKey);
    expect(dropped).to.include('address br-blue 2001:db8:b::6/64');
    expect(dropped.join()).not.to.include('192.0.2.6');
  });

  it('is the same in any order of the node', () => {
    const one = nodeWith(node);
    const other = { ...one, routes: one.routes.toReversed(), neighbours: one.neighbours.toReversed() };
    expect(displacedBy(other, 'br-blue')).to.deep.equal(displacedBy(one, 'br-blue'));
  });

  it('includes entities of VLAN devices stacked on the interface', () => {
    const stacked = route('10.7.0.0/16', { nextHops: [{ device: 'br-blue.7' }], scope: 'link' });
    expect(displacedBy(nodeWith({ routes: [stacked] }), 'br-blue').map(displacedKey)).to.deep.equal([
      'route 4 254 10.7.0.0/16 0   br-blue.7  1 false',
    ]);
  });

  it('is nothing for a device that does not exist', () => {
    expect(displacedBy(nodeWith(), 'eth99')).to.deep.equal([]);
  });
});

describe('what the ledger records before a membership change', () => {
  const fleeting = { expiresSeconds: 600 };

  it('is each entity as it is outside of a VRF, and when it was read if it has a lifetime', () => {
    const node = nodeWith({ routes: [route('10.0.0.0/8', fleeting), route('10.1.0.0/16')], uptimeSeconds: 1234.9 });
    expect(withDisplaced(node, 'br-blue').entries).to.deep.equal([
      displaced(hostRoute('10.0.0.0/8', fleeting), 'awaiting', { takenAt: 1234 }),
      displaced(hostRoute('10.1.0.0/16')),
    ]);
  });

  it('has no time if that is unknown', () => {
    expect(withDisplaced(nodeWith({ routes: [route('10.0.0.0/8', fleeting)] }), 'br-blue').entries).to.deep.equal([
      displaced(hostRoute('10.0.0.0/8', fleeting)),
    ]);
  });

  it('leaves other entries unchanged', () => {
    const ledger: readonly LedgerEntry[] = [
      displaced(hostRoute('10.9.0.0/16', { nextHops: [{ device: 'br-red' }] }), 'placed', { device: 'br-red' }),
      membership({ device: 'br-red', vrf: 'red' }),
    ];
    expect(withDisplaced(nodeWith({ ledger }), 'br-blue').entries).to.have.deep.members(ledger);
  });
});

describe('the history of a route of main', () => {
  const begin = nodeWith({ links: [host, ...devices().slice(1)], routes: [route('10.0.0.0/8')] });
  const placed = (node: NodeSnapshot): NodeSnapshot => {
    const back = { ...node, routes: [...node.routes, route('10.0.0.0/8', { table: 1012 })] };
    return { ...back, ledger: settle(back) };
  };
  const inside = moved(begin, 'blue');

  it('is awaited once the device is in the VRF', () => {
    expect(lines(inside)).to.deep.equal([inMain]);
  });

  it('is known once it is placed', () => {
    expect(lines(placed(inside))).to.deep.equal([inMain.replace('awaiting', 'placed')]);
  });

  it('is forgotten if the change was announced and never made', () => {
    const crashed = announced(begin);
    expect(lines(crashed)).to.deep.equal([inMain]);
    expect(settle(crashed).entries).to.deep.equal([]);
  });

  it('restores it to main when the device is released', () => {
    expect(lines(moved(placed(inside), undefined))).to.deep.equal([inMain]);
  });

  it('restores it to main when the device is released before it was placed', () => {
    expect(lines(moved(inside, undefined))).to.deep.equal([inMain]);
  });

  it('is kept if the device is moved to another VRF before it was placed', () => {
    expect(lines(moved(moved(inside, undefined), 'corp'))).to.deep.equal([inMain]);
    expect(lines(moved(moved(placed(inside), undefined), 'corp'))).to.deep.equal([inMain]);
  });

  it('is kept after a crash between announcing the release and the release', () => {
    const crashed = announced(placed(inside));
    expect(lines(crashed)).to.deep.equal([inMain]);
    expect(lines({ ...crashed, ledger: settle(crashed) }), 'as if nothing had been announced').to.deep.equal([
      inMain.replace('awaiting', 'placed'),
    ]);
  });

  it('ends if its owner removes it while it is placed', () => {
    const without = { ...placed(inside), routes: inside.routes };
    expect(lines(moved({ ...without, ledger: settle(without) }, undefined))).to.deep.equal([]);
    expect(lines(moved(without, undefined)), 'also unsettled').to.deep.equal([]);
  });

  it('starts again if its owner gives it another gateway while it is placed', () => {
    const changed = route('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'br-blue', gateway: '192.0.2.77' }] });
    const node = { ...placed(inside), routes: [...inside.routes, changed] };
    expect(lines(moved(node, undefined))).to.deep.equal([inMain.replace('192.0.2.1', '192.0.2.77')]);
  });
});

describe("the history of routes that were in the VRF's table", () => {
  const links = [host, ...devices().slice(1)];

  it('restores a route that was there before the device was enslaved', () => {
    const own = route('10.5.0.0/16', { table: 1012 });
    const inside = moved(nodeWith({ links, routes: [own] }), 'blue');
    const back = { ...inside, routes: [...inside.routes, own] };
    expect(lines(moved({ ...back, ledger: settle(back) }, undefined))).to.deep.equal([
      'awaiting route 4 1012 10.5.0.0/16 0   br-blue 192.0.2.1 1 false',
    ]);
  });

  it('restores such a route also after a crash between announcing the release and the release', () => {
    const own = route('10.5.0.0/16', { table: 1012 });
    const inside = moved(nodeWith({ links, routes: [own] }), 'blue');
    const back = { ...inside, routes: [...inside.routes, own] };
    const crashed = announced({ ...back, ledger: settle(back) });
    expect(lines(moved(crashed, undefined))).to.deep.equal([
      'awaiting route 4 1012 10.5.0.0/16 0   br-blue 192.0.2.1 1 false',
    ]);
  });

  it('restores both routes if an equal one was moved there from main', () => {
    const own = route('10.5.0.0/16', { table: 1012 });
    const inside = moved(nodeWith({ links, routes: [own, route('10.5.0.0/16')] }), 'blue');
    const back = { ...inside, routes: [...inside.routes, own] };
    expect(lines(moved({ ...back, ledger: settle(back) }, undefined))).to.deep.equal([
      'awaiting route 4 1012 10.5.0.0/16 0   br-blue 192.0.2.1 1 false',
      'awaiting route 4 254 10.5.0.0/16 0   br-blue 192.0.2.1 1 false',
    ]);
  });

  it('restores a route to main that was added while the device was a member', () => {
    const inside = moved(nodeWith({ links }), 'blue');
    const later = { ...inside, routes: [...inside.routes, route('10.6.0.0/16', { table: 1012 })] };
    expect(lines(moved(later, undefined))).to.deep.equal([
      'awaiting route 4 254 10.6.0.0/16 0   br-blue 192.0.2.1 1 false',
    ]);
  });

  it('restores a route of another table to that table', () => {
    const isp = route('10.8.0.0/16', { table: 77 });
    const inside = moved(nodeWith({ links, routes: [isp] }), 'blue');
    const back = { ...inside, routes: [...inside.routes, isp] };
    const key = 'route 4 77 10.8.0.0/16 0   br-blue 192.0.2.1 1 false';
    expect(lines(inside)).to.deep.equal([`awaiting ${key}`]);
    expect(lines(moved({ ...back, ledger: settle(back) }, undefined))).to.deep.equal([`awaiting ${key}`]);
  });
});

describe('a group of next hops over two devices', () => {
  const nextHopObjects = [
    { id: 5, device: 'br-blue', gateway: '192.0.2.1' },
    { id: 6, device: 'br-red', gateway: '198.51.100.1' },
    {
      id: 9,
      group: [
        { id: 5, weight: 1 },
        { id: 6, weight: 1 },
      ],
    },
  ];
  const links = [
    host,
    { name: 'br-red', addresses: [{ address: '198.51.100.6', prefixLength: 24 }] },
    { name: 'blue', kind: 'vrf', vrfTable: 1012 },
    { name: 'red', kind: 'vrf', vrfTable: 1013 },
  ];

  it('is recorded as it was before it lost its first member', () => {
    const node = completeNode({ nodeName: 'a', links, nextHopObjects });
    const once = moved(node, 'blue');
    const twice = enslave({ ...once, ledger: withDisplaced(once, 'br-red') }, 'br-red', 'red');
    if (!twice.done) throw new Error(twice.refusal);
    expect(lines(twice.node)).to.deep.equal([
      `awaiting ${displacedKey(hostNextHopObject(5))}`,
      'awaiting next-hop-object 9 5 6',
      `awaiting ${displacedKey(hostNextHopObject(6))}`,
    ]);
  });
});
