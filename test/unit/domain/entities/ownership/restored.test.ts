import { expect } from 'chai';
import type { DisplacedEntity, LedgerEntry } from '../../../../../src/domain/snapshot/ledger.ts';
import {
  awaitingEntities,
  blockedEntities,
  replacementsIn,
  restored,
  withSettledLedger,
} from '../../../../../src/domain/entities/ownership/restored.ts';
import { displacedKey } from '../../../../../src/domain/entities/displaceable.ts';
import {
  address,
  hostAddress,
  devices,
  displaced,
  membership,
  hostNeighbour,
  nodeWith,
  hostNextHopObject,
  hostProxy,
  route,
  hostRoute,
} from '../host-entities.ts';

describe('what has to be restored', () => {
  it('is each awaiting entity in its new place, with its former one', () => {
    const origin = hostRoute('10.0.0.0/8');
    const inside = nodeWith({ links: devices('blue'), ledger: [displaced(origin)] });
    expect(awaitingEntities(inside)).to.deep.equal([
      { device: 'br-blue', entity: hostRoute('10.0.0.0/8', { table: 1012 }), origin },
    ]);
    expect(awaitingEntities(nodeWith({ ledger: [displaced(origin)] }))).to.deep.equal([
      { device: 'br-blue', entity: origin, origin },
    ]);
  });

  it('is nothing that exists, that was placed, or that the ledger does not have', () => {
    const origin = hostRoute('10.0.0.0/8');
    const there = { links: devices('blue'), routes: [route('10.0.0.0/8', { table: 1012 })] };
    expect(awaitingEntities(nodeWith({ ...there, ledger: [displaced(origin)] }))).to.deep.equal([]);
    expect(awaitingEntities(nodeWith({ links: devices('blue'), ledger: [displaced(origin, 'placed')] }))).to.deep.equal(
      [],
    );
    expect(awaitingEntities(nodeWith({ ledger: [membership()] }))).to.deep.equal([]);
  });

  it('has its former place if the moved device does not exist', () => {
    const origin = hostRoute('10.0.0.0/8');
    expect(awaitingEntities(nodeWith({ links: [], ledger: [displaced(origin)] }))).to.deep.equal([
      { device: 'br-blue', entity: origin, origin },
    ]);
  });
});

describe('a lifetime', () => {
  const entityAfter = (seconds: number, origin: DisplacedEntity) => {
    const entry = displaced(origin, 'awaiting', { takenAt: 1000 });
    return awaitingEntities(nodeWith({ ledger: [entry], uptimeSeconds: 1000 + seconds }))[0]?.entity;
  };
  const dynamic = hostAddress('2001:db8:b::7/64', { validSeconds: 600, preferredSeconds: 300 });
  const expiring = hostRoute('2001:db8:9::/48', { expiresSeconds: 600 });

  it('of an address elapses while it is awaiting', () => {
    const at = (validSeconds: number, preferredSeconds: number) =>
      hostAddress('2001:db8:b::7/64', { validSeconds, preferredSeconds });
    expect(entityAfter(0, dynamic)).to.deep.equal(dynamic);
    expect(entityAfter(10, dynamic)).to.deep.equal(at(590, 290));
    expect(entityAfter(10.9, dynamic), 'in whole seconds').to.deep.equal(at(590, 290));
    expect(entityAfter(400, dynamic), 'and does not run below 0').to.deep.equal(at(200, 0));
  });

  it('of a route elapses while it is awaiting', () => {
    expect(entityAfter(0, expiring)).to.deep.equal(expiring);
    expect(entityAfter(100, expiring)).to.deep.equal(hostRoute('2001:db8:9::/48', { expiresSeconds: 500 }));
  });

  it('is none for entities without one', () => {
    const forGood = hostAddress('2001:db8:b::6/64');
    const neighbour = hostNeighbour('192.0.2.9');
    for (const entity of [forGood, neighbour, hostNextHopObject(5), hostRoute('10.0.0.0/8')]) {
      expect(entityAfter(100, entity)).to.deep.equal(entity);
    }
    const halfway = hostAddress('2001:db8:b::6/64', { preferredSeconds: 150 });
    expect(entityAfter(100, halfway)).to.deep.equal(hostAddress('2001:db8:b::6/64', { preferredSeconds: 50 }));
  });

  it('that has ended leaves nothing to restore', () => {
    for (const origin of [dynamic, expiring]) {
      const entry = displaced(origin, 'awaiting', { takenAt: 1000 });
      const node = withSettledLedger(nodeWith({ ledger: [entry], uptimeSeconds: 1600 }));
      expect(awaitingEntities(node)).to.deep.equal([]);
      expect(node.ledger.entries).to.deep.equal([]);
    }
  });
});

describe('a node with its ledger settled', () => {
  it('is the same object if nothing changes', () => {
    const node = nodeWith();
    expect(withSettledLedger(node)).to.equal(node);
    expect(restored(node)).to.equal(node);
  });

  it('is otherwise unchanged', () => {
    const node = nodeWith({ ledger: [membership()], routes: [route('10.0.0.0/8')] });
    expect(withSettledLedger(node)).to.deep.equal({ ...node, ledger: { ...node.ledger, entries: [] } });
  });
});

describe('a node with everything restored', () => {
  const node = nodeWith({
    links: devices('blue').map((link) =>
      link.name === 'br-blue' ? { ...link, addresses: [{ address: '192.0.2.6', prefixLength: 24 }] } : link,
    ),
    routes: [route('10.0.0.0/8')],
    kernelRoutes: true,
    ledger: [
      membership(),
      displaced(hostAddress('2001:db8:b::6/64')),
      displaced(hostAddress('2001:db8:7::6/64', {}, 'br-blue.7')),
      displaced(hostNextHopObject(5)),
      displaced(hostRoute('0.0.0.0/0')),
      displaced(hostRoute('10.1.0.0/16', { table: 77 })),
      displaced(hostNeighbour('192.0.2.9')),
      displaced(hostProxy('192.0.2.8')),
    ],
  });
  const whole = restored(node);

  it('has the addresses on their devices, beside existing ones', () => {
    const addressesOf = (name: string) => whole.links.find((link) => link.name === name)?.addresses;
    expect(addressesOf('br-blue')).to.deep.equal([address('192.0.2.6/24'), address('2001:db8:b::6/64')]);
    expect(addressesOf('br-blue.7')).to.deep.equal([address('2001:db8:7::6/64')]);
    expect(addressesOf('corp')).to.deep.equal([]);
  });

  it('has the routes in their new tables', () => {
    expect(whole.routes.filter(({ protocol }) => protocol !== 'kernel')).to.have.deep.members([
      route('10.0.0.0/8'),
      route('0.0.0.0/0', { table: 1012 }),
      route('10.1.0.0/16', { table: 77 }),
    ]);
  });

  it('has the neighbours, proxy entries and nexthop objects', () => {
    expect(whole.neighbourProxies).to.deep.equal([{ device: 'br-blue', address: '192.0.2.8' }]);
    expect(whole.neighbours.map((neighbour) => neighbour.address)).to.deep.equal(['192.0.2.9']);
    expect(whole.nextHopObjects.map(({ id }) => id)).to.deep.equal([5]);
  });

  it('is otherwise unchanged', () => {
    const { links: _, routes: _r, neighbours: _n, neighbourProxies: _p, nextHopObjects: _o, ...rest } = whole;
    expect(node).to.deep.include(rest);
  });
});

describe('what is awaiting and cannot be restored', () => {
  const withAddress = (text: string) => ({
    links: devices().map((link) => (link.name === 'br-blue' ? { ...link, addresses: [address(text)] } : link)),
    kernelRoutes: true as const,
  });
  const route4 = displaced(hostRoute('10.0.0.0/8'));
  const blockedTexts = (node: Parameters<typeof nodeWith>[0], ...ledger: LedgerEntry[]) =>
    blockedEntities(nodeWith({ ...node, ledger })).map((each) => `${displacedKey(each.origin)}: ${each.refusal}`);

  it('is a route by a gateway that the interface does not reach', () => {
    const refused = `${displacedKey(route4.entity)}: next hop 192.0.2.1 br-blue: Nexthop has invalid gateway`;
    expect(blockedTexts({}, route4)).to.deep.equal([refused]);
    expect(blockedTexts(withAddress('198.18.0.6/24'), route4)).to.deep.equal([refused]);
    expect(blockedTexts(withAddress('192.0.2.6/24'), route4)).to.deep.equal([]);
  });

  it('is nothing that can be restored together with other entities', () => {
    const entries = [route4, displaced(hostAddress('192.0.2.6/24'))];
    expect(blockedTexts({ kernelRoutes: true }, ...entries)).to.deep.equal([]);
  });

  it('is no route whose source is a tentative address', () => {
    const source = '2001:db8:b::6';
    const entry = displaced(hostRoute('2001:db8:9::/48', { preferredSource: source }));
    const node = withAddress(`${source}/64`);
    const tentative = { ...address(`${source}/64`), flags: ['tentative'] };
    const links = node.links.map((link) => (link.name === 'br-blue' ? { ...link, addresses: [tentative] } : link));
    expect(blockedTexts({ ...node, links }, entry)).to.deep.equal([]);
  });

  it('is left out of the restored node', () => {
    expect(restored(nodeWith({ ledger: [route4] })).routes).to.deep.equal([]);
  });

  it('is a route with the key of an existing one, outside of VRFs only', () => {
    const other = route('10.0.0.0/8', { nextHops: [{ device: 'br-ex' }] });
    const awaitingAt = (links: ReturnType<typeof devices>) => {
      const node = nodeWith({ links, routes: [other], ledger: [route4, membership()] });
      return awaitingEntities(node).map(replacementsIn(node));
    };
    expect(awaitingAt(devices())).to.deep.equal([other]);
    expect(awaitingAt(devices('blue'))).to.deep.equal([undefined]);
  });
});
