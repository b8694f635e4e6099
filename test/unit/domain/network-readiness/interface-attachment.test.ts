import { expect } from 'chai';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { interfaceAttachment } from '../../../../src/domain/network-readiness/interface-attachment.ts';
import type { BriefLink, BriefNode, BriefRoute } from '../../../../src/testing/index.ts';
import { corporateVrf, domains, hostInterface, type InputBrief, managementPort } from '../dataplane/dataplane-input.ts';
import { checkInput } from './check-input.ts';

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
  return interfaceAttachment(checkInput(brief, { internalIps }));
}

describe('the place of the interface', () => {
  /** Where it is, by whose hand, and where the network wants it. */
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
    const hand = where === undefined ? '' : ` by ${byUs ? 'our' : "somebody else's"} hand`;
    it(`${failure ? 'is a reason' : 'is right or can be made so'} where it is in ${where ?? 'no VRF'}${hand} and the network in ${wanted}`, () => {
      const table = where === 'corp' ? 500 : 1012;
      const ledger = byUs && where !== undefined ? [membership(where, table)] : [];
      const expected = failure && { reason, cause: 'other-master', device, ...failure };
      expect(judge({ domain: domains[wanted], node: nodeIn(where, { ledger }) })).to.deep.equal(expected);
    });
  }

  it('is no matter while it is not there, or while nothing is wanted of it', () => {
    expect(judge({ domain: domains['its own VRF'], node: { links: [managementPort] } })).to.be.undefined;
    const undecided = checkInput({ node: nodeIn('corp') }, { dataplane: undefined });
    expect(interfaceAttachment(undecided)).to.be.undefined;
  });
});

describe('an interface by which the node is reached', () => {
  const own = domains['its own VRF'];
  const cutsOff = { reason, cause: 'cuts-node-off', device, vrf: 'blue' };

  it('is not moved into a VRF where it bears an InternalIP of the Node', () => {
    const by = (...internalIps: readonly string[]) => judge({ domain: own, node: nodeIn(undefined) }, internalIps);
    expect(by('192.0.2.6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
    expect(by('198.51.100.1', '2001:DB8:B:0::6')).to.deep.equal({ ...cutsOff, by: { address: '2001:DB8:B:0::6' } });
    expect(by('192.0.2.7', '2001:db8:b::7')).to.be.undefined;
    expect(by()).to.be.undefined;
  });

  it('is reported with the same one of several InternalIPs, in whatever order the Node has them', () => {
    const by = (...internalIps: readonly string[]) => judge({ domain: own, node: nodeIn(undefined) }, internalIps);
    expect(by('2001:db8:b::6', '192.0.2.6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
    expect(by('192.0.2.6', '2001:db8:b::6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
  });

  it('is not moved either where a VLAN device on it does, which goes down with it', () => {
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

  it("is not moved into somebody else's VRF either", () => {
    const failure = judge({ domain: domains['another existing VRF'], node: nodeIn(undefined) }, ['192.0.2.6']);
    expect(failure).to.deep.equal({ ...cutsOff, vrf: 'corp', by: { address: '192.0.2.6' } });
  });

  it('stays where it is in the default domain', () => {
    expect(judge({ node: nodeIn(undefined) }, ['192.0.2.6'])).to.be.undefined;
  });

  it('stays in the VRF that it is in already: nothing is left to be cut off', () => {
    expect(judge({ domain: own, node: nodeIn('blue') }, ['192.0.2.6'])).to.be.undefined;
    const ledger = [membership('corp', 500)];
    expect(judge({ domain: own, node: nodeIn('corp', { ledger }) }, ['192.0.2.6'])).to.be.undefined;
  });
});

describe('an interface with something on it that nobody could make again', () => {
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

  it('is not moved from one VRF into another, nor out of one', () => {
    const ledger = [membership('corp', 500)];
    const node = nodeIn('corp', { ...odd(['encap', 'realms']), ledger });
    expect(judge({ domain: own, node })).to.deep.equal(failure);
    expect(judge({ domain: domains['the default routing domain'], node })).to.deep.equal(failure);
  });

  it('is not moved out of a VRF and in again because the VRF has to be made again', () => {
    const oldVrf = { ...ownVrf, vrfTable: 1005 };
    const links = [{ ...hostInterface, master: 'blue' }, managementPort, oldVrf];
    const ledger = [membership('blue', 1005)];
    expect(judge({ domain: own, node: { links, ledger } }), 'with nothing on it').to.be.undefined;
    expect(judge({ domain: own, node: { links, ledger, ...odd(['encap', 'realms']) } })).to.deep.equal(failure);
  });

  it('stays where it is', () => {
    expect(judge({ node: nodeIn(undefined, odd(['encap'])) }), 'in the default domain').to.be.undefined;
    expect(judge({ domain: own, node: nodeIn('blue', odd(['encap'])) }), 'in its VRF').to.be.undefined;
  });

  it('can be moved where all of it is known', () => {
    expect(judge({ domain: own, node: nodeIn(undefined, odd([])) })).to.be.undefined;
  });

  it('can be moved where somebody else puts it back', () => {
    const daemon = odd(['encap']).routes!.map((route) => ({ ...route, protocol: 'bgp' }));
    expect(judge({ domain: own, node: nodeIn(undefined, { routes: daemon }) })).to.be.undefined;
  });

  it('is told of a next hop object too', () => {
    const nextHopObjects = [{ id: 5, device, gateway: '192.0.2.1', unknownAttributes: ['encap'] }];
    expect(judge({ domain: own, node: nodeIn(undefined, { nextHopObjects }) })).to.deep.equal({
      ...failure,
      thing: 'next hop object 5 via 192.0.2.1 dev br-blue',
      by: { attributes: ['encap'] },
    });
  });
});

describe('an interface with a route that would not find its place', () => {
  const toCorp = domains['another existing VRF'];
  const here: BriefRoute = { destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }] };
  const there: BriefRoute = { ...here, table: 500, nextHops: [{ device: 'br-other', gateway: '198.51.100.1' }] };
  const inTheWay = (wanted: string, found: string) => ({ reason, cause: 'in-the-way', wanted, found });
  const judgeRoutes = (...routes: readonly BriefRoute[]) =>
    judge({ domain: toCorp, node: nodeIn(undefined, { routes }) });

  it('is not moved where somebody else’s stands there already', () => {
    expect(judgeRoutes(here, there)).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 198.51.100.1 dev br-other table 500 of protocol static',
      ),
    );
  });

  it('is not moved where another one of its own would come there, or is there', () => {
    expect(judgeRoutes(here, { ...here, table: 500, nextHops: [{ device, gateway: '192.0.2.2' }] })).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 192.0.2.2 dev br-blue table 500 of protocol static',
      ),
    );
  });

  it('can be moved where the same one is there, or one of another metric', () => {
    expect(judgeRoutes(here, { ...here, table: 500 })).to.be.undefined;
    expect(judgeRoutes(here, { ...there, metric: 9 })).to.be.undefined;
    expect(judgeRoutes(there)).to.be.undefined;
  });

  it('is not moved where one of another table has its address as the source, which the VRF alone will know', () => {
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

  it('can be moved out of a VRF with any source', () => {
    const ledger = [membership('corp', 500)];
    const routes = [{ ...here, table: 77, preferredSource: '192.0.2.6' }];
    expect(judge({ node: nodeIn('corp', { ledger, routes }) })).to.be.undefined;
  });

  it('is not moved out of a VRF where somebody has made another route meanwhile', () => {
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
