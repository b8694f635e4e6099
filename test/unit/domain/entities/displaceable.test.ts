import { expect } from 'chai';
import { displaceableKindOf, displacedKey, isPutBack } from '../../../../src/domain/entities/displaceable.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import { hostAddress, hostNeighbour, hostNextHopObject, hostProxy, hostRoute } from './host-entities.ts';

/** A node of which no settings were read. */
const unread = { sysctls: {} };

describe('what is restored', () => {
  const protocols: readonly (readonly [protocols: readonly string[], putBack: boolean, why: string])[] = [
    [
      ['static', '4', 'boot', '3', 'unspec', '0', 'gated', '8', 'dhcp', '16', 'keepalived', '18', '99', '250'],
      true,
      'an administrator, or a program that asks once, made it',
    ],
    [['kernel', '2'], true, 'what the kernel makes again is not lost, so somebody said so of his own'],
    [['redirect', '1'], false, 'the kernel learns it again'],
    [['zebra', '11'], false, 'its daemon does'],
    [['babel', '42'], false, 'its daemon does'],
    [['ovn', '84'], false, 'its daemon does'],
    [['ovn-kubernetes', 'ovnk', '85'], false, 'OVN-Kubernetes does'],
    [['bgp', '186'], false, 'its daemon does'],
    [['isis', '187'], false, 'its daemon does'],
    [['ospf', '188'], false, 'its daemon does'],
    [['rip', '189'], false, 'its daemon does'],
    [['eigrp', '192'], false, 'its daemon does'],
    [['94'], false, 'it is ours and made anew'],
  ];
  for (const [names, putBack, why] of protocols) {
    for (const protocol of names) {
      it(`${putBack ? 'is' : 'is not'} a route or next hop object of protocol ${protocol}: ${why}`, () => {
        expect(isPutBack(hostRoute('10.0.0.0/8', { protocol }), unread)).to.equal(putBack);
        expect(isPutBack(hostNextHopObject(5, { protocol }), unread)).to.equal(putBack);
      });
    }
  }

  const readers: readonly (readonly [
    what: string,
    acceptance: string | undefined,
    forwarding: string | undefined,
    putBack: boolean,
  ])[] = [
    ['a daemon reads them', '0', '0', true],
    ['a daemon reads them on a device that forwards', '0', '1', true],
    ['the kernel ignores them, as the device forwards', '1', '1', true],
    ['the kernel reads them', '1', '0', false],
    ['the kernel reads them though the device forwards', '2', '1', false],
    ['the kernel reads them, and forwarding is unknown', '1', undefined, false],
    ['it is unknown who reads them', undefined, '1', false],
  ];
  for (const [what, acceptance, forwarding, putBack] of readers) {
    it(`${putBack ? 'is' : 'is not'} a route from router advertisements if ${what}`, () => {
      const sysctls = {
        ...(acceptance !== undefined && { 'net.ipv6.conf.br-blue/5.accept_ra': acceptance }),
        ...(forwarding !== undefined && { 'net.ipv6.conf.br-blue/5.forwarding': forwarding }),
      };
      const nextHops = [{ device: 'br-blue.5', gateway: 'fe80::1' }];
      for (const protocol of ['ra', '9']) {
        expect(isPutBack(hostRoute('::/0', { protocol, nextHops }), { sysctls })).to.equal(putBack);
      }
      const prefix = hostRoute('2001:db8:b::/64', { protocol: 'kernel', expiresSeconds: 600, nextHops });
      expect(isPutBack(prefix, { sysctls })).to.equal(putBack);
      expect(
        isPutBack(hostRoute('2001:db8:b::/64', { protocol: 'static', expiresSeconds: 600, nextHops }), { sysctls }),
      ).to.be.true;
    });
  }

  it('is an address, but not one that the kernel derives', () => {
    expect(isPutBack(hostAddress('2001:db8:b::6/64', { flags: ['dynamic', 'mngtmpaddr'] }), unread)).to.be.true;
    expect(isPutBack(hostAddress('2001:db8:b::6/64', { flags: ['dynamic', 'temporary'] }), unread)).to.be.false;
  });

  it('is a neighbour, but not a managed one, and not one that a daemon learned', () => {
    const neighbour = { device: 'br-blue', address: '192.0.2.9', states: ['permanent'] };
    expect(isPutBack({ kind: 'neighbour', neighbour }, unread)).to.be.true;
    expect(isPutBack({ kind: 'neighbour', neighbour: { ...neighbour, protocol: 'static' } }, unread)).to.be.true;
    expect(isPutBack({ kind: 'neighbour', neighbour: { ...neighbour, protocol: '94' } }, unread)).to.be.false;
    const learned = { ...neighbour, states: ['permanent', 'extern_learn'] };
    expect(isPutBack({ kind: 'neighbour', neighbour: learned }, unread)).to.be.false;
  });

  it('is every proxy entry: none is managed', () => {
    expect(isPutBack(hostProxy('192.0.2.9'), unread)).to.be.true;
  });
});

describe('the key of an entity', () => {
  it('distinguishes each of these from all others', () => {
    const entities: readonly DisplacedEntity[] = [
      hostRoute('10.0.0.0/8'),
      hostRoute('10.0.0.0/8', { table: 7 }),
      hostRoute('10.0.0.0/8', { nextHops: [{ device: 'eth9' }] }),
      hostAddress('192.0.2.6/24'),
      hostAddress('192.0.2.6/25'),
      hostAddress('192.0.2.7/24'),
      hostAddress('192.0.2.6/24', {}, 'eth9'),
      hostNeighbour('192.0.2.6'),
      hostNeighbour('192.0.2.6', 'eth9'),
      hostNextHopObject(5),
      hostNextHopObject(6),
      hostNextHopObject(5, { group: [{ id: 1, weight: 1 }] }),
      hostNextHopObject(5, {
        group: [
          { id: 1, weight: 1 },
          { id: 2, weight: 1 },
        ],
      }),
    ];
    expect(new Set(entities.map(displacedKey)).size).to.equal(entities.length);
  });

  it('does not contain what may change', () => {
    expect(displacedKey(hostAddress('192.0.2.6/24', { validSeconds: 5, flags: ['dynamic'] }))).to.equal(
      displacedKey(hostAddress('192.0.2.6/24')),
    );
    expect(displacedKey(hostRoute('10.0.0.0/8', { expiresSeconds: 5 }))).to.equal(
      displacedKey(hostRoute('10.0.0.0/8')),
    );
  });
});

describe('the device that an entity is on', () => {
  const deviceOf = (entity: DisplacedEntity) => displaceableKindOf(entity).displaced.device(entity);

  it('is known except for groups', () => {
    expect(deviceOf(hostRoute('10.0.0.0/8'))).to.equal('br-blue');
    expect(deviceOf(hostRoute('10.0.0.0/8', { nextHops: [{ gateway: '192.0.2.1' }, { device: 'eth9' }] }))).to.equal(
      'eth9',
    );
    expect(deviceOf(hostRoute('10.0.0.0/8', { nextHops: [] }))).to.be.undefined;
    expect(deviceOf(hostAddress('192.0.2.6/24'))).to.equal('br-blue');
    expect(deviceOf(hostNeighbour('192.0.2.6'))).to.equal('br-blue');
    expect(deviceOf(hostProxy('192.0.2.6', 'eth9'))).to.equal('eth9');
    expect(deviceOf(hostNextHopObject(5))).to.equal('br-blue');
    expect(deviceOf({ kind: 'next-hop-object', object: { id: 9, protocol: 'static', group: [] } })).to.be.undefined;
  });
});
