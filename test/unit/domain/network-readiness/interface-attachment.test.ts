import { expect } from 'chai';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { interfaceAttachment } from '../../../../src/domain/network-readiness/interface-attachment.ts';
import type { BriefLink, BriefNode, BriefRoute } from '../../../../src/testing/index.ts';
import { corporateVrf, domains, hostInterface, type InputBrief, managementPort } from '../dataplane/dataplane-input.ts';
import { checkInput } from './check-input.ts';
import { withTexts } from './failure-texts.ts';

const reason = 'UplinkVRFAttachmentFailed';
const device = 'br-blue';
const ownVrf: BriefLink = { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' };

/** A node whose uplink's interface is a slave of something. */
function nodeIn(master: string | undefined, node: Omit<BriefNode, 'nodeName'> = {}): Omit<BriefNode, 'nodeName'> {
  const host = master === undefined ? hostInterface : { ...hostInterface, master };
  return { links: [host, managementPort, corporateVrf, ownVrf, { name: 'bond0', kind: 'bond' }], ...node };
}

function membership(vrf: string, table: number): LedgerEntry {
  return { kind: 'membership', device, vrf, table, network: 'cluster_udn_blue' };
}

function judge(brief: InputBrief, internalIps: readonly string[] = []) {
  return withTexts(interfaceAttachment(checkInput(brief, { internalIps })));
}

describe('the membership of the interface', () => {
  /** Where it is, who enslaved it, and where the network wants it. */
  const places: readonly (readonly [
    where: string | undefined,
    byUs: boolean,
    wanted: keyof typeof domains,
    failure: { readonly master: string; readonly vrf?: string } | undefined,
  ])[] = [
    [undefined, false, 'the default routing domain', undefined],
    [undefined, false, 'its own VRF', undefined],
    [undefined, false, 'another existing VRF', undefined],
    ['blue', true, 'the default routing domain', undefined],
    ['blue', true, 'its own VRF', undefined],
    ['blue', true, 'another existing VRF', undefined],
    ['corp', true, 'the default routing domain', undefined],
    ['corp', true, 'its own VRF', undefined],
    ['corp', true, 'another existing VRF', undefined],
    ['blue', false, 'the default routing domain', { master: 'blue' }],
    ['blue', false, 'its own VRF', undefined],
    ['blue', false, 'another existing VRF', { master: 'blue', vrf: 'corp' }],
    ['corp', false, 'the default routing domain', { master: 'corp' }],
    ['corp', false, 'its own VRF', { master: 'corp', vrf: 'blue' }],
    ['corp', false, 'another existing VRF', undefined],
    ['bond0', false, 'the default routing domain', { master: 'bond0' }],
    ['bond0', false, 'its own VRF', { master: 'bond0', vrf: 'blue' }],
  ];
  for (const [where, byUs, wanted, failure] of places) {
    const hand = where === undefined ? '' : ` by ${byUs ? 'ovn-uplinks' : 'another program'}`;
    it(`${failure ? 'is a failure' : 'is right or can be changed'} if it is in ${where ?? 'no VRF'}${hand} and the network in ${wanted}`, () => {
      const table = where === 'corp' ? 500 : 1012;
      const ledger = byUs && where !== undefined ? [membership(where, table)] : [];
      const expected = failure && { reason, cause: 'other-master', device, ...failure };
      expect(judge({ domain: domains[wanted], node: nodeIn(where, { ledger }) })).to.deep.equal(expected);
    });
  }

  it('is ignored while the interface does not exist, or none is desired', () => {
    expect(judge({ domain: domains['its own VRF'], node: { links: [managementPort] } })).to.be.undefined;
    const undecided = checkInput({ node: nodeIn('corp') }, { dataplane: undefined });
    expect(interfaceAttachment(undecided)).to.be.undefined;
  });
});

describe('an interface by which the node is reached', () => {
  const own = domains['its own VRF'];
  const cutsOff = { reason, cause: 'cuts-node-off', device, vrf: 'blue' };

  it('is not enslaved if it has an InternalIP of the Node', () => {
    const by = (...internalIps: readonly string[]) => judge({ domain: own, node: nodeIn(undefined) }, internalIps);
    expect(by('192.0.2.6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
    expect(by('198.51.100.1', '2001:DB8:B:0::6')).to.deep.equal({ ...cutsOff, by: { address: '2001:DB8:B:0::6' } });
    expect(by('192.0.2.7', '2001:db8:b::7')).to.be.undefined;
    expect(by()).to.be.undefined;
  });

  it('is reported with the same one of several InternalIPs, in any order', () => {
    const by = (...internalIps: readonly string[]) => judge({ domain: own, node: nodeIn(undefined) }, internalIps);
    expect(by('2001:db8:b::6', '192.0.2.6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
    expect(by('192.0.2.6', '2001:db8:b::6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
  });

  it('is not enslaved if a VLAN device on it has one, which goes down with it', () => {
    const vlan: BriefLink = { name: 'br-blue.5', kind: 'vlan', lowerDevice: device };
    const links = [
      hostInterface,
      managementPort,
      ownVrf,
      { ...vlan, addresses: [{ address: '192.0.2.60', prefixLength: 24 }] },
    ];
    expect(judge({ domain: own, node: { links } }, ['192.0.2.60'])).to.deep.equal({
      ...cutsOff,
      by: { address: '192.0.2.60', vlan: 'br-blue.5' },
    });
  });

  it('is not enslaved to an existing VRF either', () => {
    const failure = judge({ domain: domains['another existing VRF'], node: nodeIn(undefined) }, ['192.0.2.6']);
    expect(failure).to.deep.equal({ ...cutsOff, vrf: 'corp', by: { address: '192.0.2.6' } });
  });

  it('stays in the default domain', () => {
    expect(judge({ node: nodeIn(undefined) }, ['192.0.2.6'])).to.be.undefined;
  });

  it('stays in its present VRF: no change would cut off the node', () => {
    expect(judge({ domain: own, node: nodeIn('blue') }, ['192.0.2.6'])).to.be.undefined;
    const ledger = [membership('corp', 500)];
    expect(judge({ domain: own, node: nodeIn('corp', { ledger }) }, ['192.0.2.6'])).to.be.undefined;
  });
});

describe('an interface where tunnels of the node end', () => {
  const own = domains['its own VRF'];
  const cutsTunnels = { reason, cause: 'cuts-tunnels', device, vrf: 'blue' };
  const ending = (at: string, node: Omit<BriefNode, 'nodeName'> = {}) => ({
    ...node,
    switchExternalIds: { 'ovn-encap-ip': at },
  });

  for (const [at, address] of [
    ['192.0.2.6', '192.0.2.6'],
    ['198.51.100.10,192.0.2.6', '192.0.2.6'],
    ['2001:DB8:B:0::6', '2001:db8:b::6'],
    ['2001:db8:b::6, 192.0.2.6/24', '192.0.2.6'],
  ] as const) {
    it(`is not enslaved if they end at ${at}`, () => {
      const node = nodeIn(undefined, ending(at));
      expect(judge({ domain: own, node })).to.deep.equal({ ...cutsTunnels, address });
      const failure = judge({ domain: domains['another existing VRF'], node });
      expect(failure).to.deep.equal({ ...cutsTunnels, vrf: 'corp', address });
    });
  }

  it('is enslaved if they end elsewhere, or nowhere', () => {
    for (const at of ['198.51.100.10', '192.0.2.7', '', 'localhost']) {
      expect(judge({ domain: own, node: nodeIn(undefined, ending(at)) }), at).to.be.undefined;
    }
  });

  it('has the address of the node as reason, if it has one of both', () => {
    expect(judge({ domain: own, node: nodeIn(undefined, ending('192.0.2.6')) }, ['192.0.2.6'])).to.include({
      cause: 'cuts-node-off',
    });
  });

  it('is reported in the VRF that it was enslaved to before', () => {
    const ledger = [membership('blue', 1012)];
    const node = nodeIn('blue', ending('192.0.2.6', { ledger }));
    expect(judge({ domain: own, node })).to.deep.equal({ ...cutsTunnels, address: '192.0.2.6' });
  });

  it('is left to another program that has enslaved it there', () => {
    expect(judge({ domain: own, node: nodeIn('blue', ending('192.0.2.6')) })).to.be.undefined;
  });

  it('is released, and stays in the default routing domain', () => {
    const ledger = [membership('blue', 1012)];
    expect(judge({ node: nodeIn('blue', ending('192.0.2.6', { ledger })) })).to.be.undefined;
    expect(judge({ node: nodeIn(undefined, ending('192.0.2.6')) })).to.be.undefined;
  });

  it('is enslaved if they end at a VLAN device on it, which stays where it is', () => {
    const vlan: BriefLink = { name: 'br-blue.5', kind: 'vlan', lowerDevice: device };
    const addresses = [{ address: '192.0.2.60', prefixLength: 24 }];
    const links = [hostInterface, managementPort, ownVrf, { ...vlan, addresses }];
    expect(judge({ domain: own, node: ending('192.0.2.60', { links }) })).to.be.undefined;
  });
});

describe('an interface with an entity that cannot be restored', () => {
  const own = domains['its own VRF'];
  const odd = (unknownAttributes: readonly string[]): Omit<BriefNode, 'nodeName'> => ({
    routes: [{ destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }], unknownAttributes }],
  });
  const failure = {
    reason,
    cause: 'cannot-be-put-back',
    device,
    thing: 'route 10.9.0.0/16 via 192.0.2.1 dev br-blue',
    by: { attributes: ['encap', 'realms'] },
  };

  it('is not moved into a VRF', () => {
    const node = nodeIn(undefined, odd(['encap', 'realms']));
    expect(judge({ domain: own, node })).to.deep.equal(failure);
    expect(judge({ domain: domains['another existing VRF'], node })).to.deep.equal(failure);
  });

  it('is not moved between VRFs or released', () => {
    const ledger = [membership('corp', 500)];
    const node = nodeIn('corp', { ...odd(['encap', 'realms']), ledger });
    expect(judge({ domain: own, node })).to.deep.equal(failure);
    expect(judge({ domain: domains['the default routing domain'], node })).to.deep.equal(failure);
  });

  it('is not released and enslaved again because the VRF is recreated', () => {
    const oldVrf = { ...ownVrf, vrfTable: 1005 };
    const links = [{ ...hostInterface, master: 'blue' }, managementPort, oldVrf];
    const ledger = [membership('blue', 1005)];
    expect(judge({ domain: own, node: { links, ledger } }), 'with nothing on it').to.be.undefined;
    expect(judge({ domain: own, node: { links, ledger, ...odd(['encap', 'realms']) } })).to.deep.equal(failure);
  });

  it('stays a member', () => {
    expect(judge({ node: nodeIn(undefined, odd(['encap'])) }), 'in the default domain').to.be.undefined;
    expect(judge({ domain: own, node: nodeIn('blue', odd(['encap'])) }), 'in its VRF').to.be.undefined;
  });

  it('can be moved if all attributes are known', () => {
    expect(judge({ domain: own, node: nodeIn(undefined, odd([])) })).to.be.undefined;
  });

  it('can be moved if the owner of the entity restores it', () => {
    const daemon = odd(['encap']).routes!.map((route) => ({ ...route, protocol: 'bgp' }));
    expect(judge({ domain: own, node: nodeIn(undefined, { routes: daemon }) })).to.be.undefined;
  });

  it('is reported for a nexthop object too', () => {
    const nextHopObjects = [{ id: 5, device, gateway: '192.0.2.1', unknownAttributes: ['encap'] }];
    expect(judge({ domain: own, node: nodeIn(undefined, { nextHopObjects }) })).to.deep.equal({
      ...failure,
      thing: 'next hop object 5 via 192.0.2.1 dev br-blue',
      by: { attributes: ['encap'] },
    });
  });
});

describe('an interface with a route that cannot be restored in its place', () => {
  const toCorp = domains['another existing VRF'];
  const here: BriefRoute = { destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }] };
  const there: BriefRoute = { ...here, table: 500, nextHops: [{ device: 'br-other', gateway: '198.51.100.1' }] };
  const inTheWay = (wanted: string, found: string) => ({ reason, cause: 'in-the-way', wanted, found });
  const judgeRoutes = (...routes: readonly BriefRoute[]) =>
    judge({ domain: toCorp, node: nodeIn(undefined, { routes }) });

  it('is not moved if an unmanaged route is there already', () => {
    expect(judgeRoutes(here, there)).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 198.51.100.1 dev br-other table 500 of protocol static',
      ),
    );
  });

  it('is not moved if another route of its own would move there, or is there', () => {
    expect(judgeRoutes(here, { ...here, table: 500, nextHops: [{ device, gateway: '192.0.2.2' }] })).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 192.0.2.2 dev br-blue table 500 of protocol static',
      ),
    );
  });

  it('can be moved if the same route is there, or one of another metric', () => {
    expect(judgeRoutes(here, { ...here, table: 500 })).to.be.undefined;
    expect(judgeRoutes(here, { ...there, metric: 9 })).to.be.undefined;
    expect(judgeRoutes(there)).to.be.undefined;
  });

  it('is not moved if a route of another table has its address as the source, which only the VRF will know', () => {
    const elsewhere = { ...here, table: 77, preferredSource: '192.0.2.6' };
    expect(judgeRoutes(elsewhere)).to.deep.equal({
      reason,
      cause: 'cannot-be-put-back',
      device,
      thing: 'route 10.9.0.0/16 via 192.0.2.1 dev br-blue src 192.0.2.6 table 77',
      by: { refusal: 'Invalid prefsrc address' },
    });
    expect(judgeRoutes({ ...here, preferredSource: '192.0.2.6' }), 'a route that goes into the VRF').to.be.undefined;
  });

  it('can be released with any source', () => {
    const ledger = [membership('corp', 500)];
    const routes = [{ ...here, table: 77, preferredSource: '192.0.2.6' }];
    expect(judge({ node: nodeIn('corp', { ledger, routes }) })).to.be.undefined;
  });

  it('is not released if another program has added another route meanwhile', () => {
    const ledger = [membership('corp', 500)];
    const node = nodeIn('corp', {
      ledger,
      routes: [
        { ...here, table: 500 },
        { ...there, table: 254 },
      ],
    });
    expect(judge({ node })).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue',
        'route 10.9.0.0/16 via 198.51.100.1 dev br-other of protocol static',
      ),
    );
  });
});
