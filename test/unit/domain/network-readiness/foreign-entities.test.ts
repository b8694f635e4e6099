import { expect } from 'chai';
import { foreignEntities } from '../../../../src/domain/network-readiness/foreign-entities.ts';
import { uplinkReason } from '../../../../src/domain/plan/parts/parts.ts';
import type { BriefNode } from '../../../../src/testing/index.ts';
import { corporateVrf, domains, hostInterface, type InputBrief, managementPort } from '../dataplane/dataplane-input.ts';
import { checkInput } from './check-input.ts';
import { withTexts } from './failure-texts.ts';

const check = foreignEntities('UplinkVRFAttachmentFailed', uplinkReason);
const judge = (node: Omit<BriefNode, 'nodeName'>, brief: InputBrief = {}) =>
  withTexts(check(checkInput({ defaultGateways: ['192.0.2.1'], ...brief, node })));

const inTheWay = (wanted: string, found: string) => ({
  reason: 'UplinkVRFAttachmentFailed',
  cause: 'in-the-way',
  wanted,
  found,
});

const wantedDefault = 'route default via 192.0.2.1 dev br-blue table 1012';
const wantedService = 'route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012';

describe('an unmanaged route with the key of a desired one', () => {
  const route = { destination: '0.0.0.0/0', table: 1012, nextHops: [{ device: 'eth9', gateway: '198.51.100.1' }] };

  it('is a conflict if its content differs', () => {
    expect(judge({ routes: [route] })).to.deep.equal(
      inTheWay(wantedDefault, 'route default via 198.51.100.1 dev eth9 table 1012 of protocol static'),
    );
    const service = { destination: '10.96.0.0/16', table: 1012, protocol: 'bgp', nextHops: [{ device: 'eth9' }] };
    expect(judge({ routes: [service] })).to.deep.equal(
      inTheWay(wantedService, 'route 10.96.0.0/16 dev eth9 table 1012 of protocol bgp'),
    );
  });

  it('serves if its content is equal', () => {
    const same = { ...route, nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }], metrics: { mtu: 1400 } };
    expect(judge({ routes: [same] })).to.be.undefined;
  });

  it('is no conflict with another metric, table or type of service', () => {
    expect(judge({ routes: [{ ...route, metric: 100 }] }), 'of another metric').to.be.undefined;
    expect(judge({ routes: [{ ...route, table: 254 }] }), 'of another table').to.be.undefined;
    expect(judge({ routes: [{ ...route, typeOfService: '0x10' }] }), 'for some packets').to.be.undefined;
  });

  it('is no conflict if it has the signature: it is replaced', () => {
    expect(judge({ routes: [{ ...route, protocol: '94' }] })).to.be.undefined;
  });

  it('is reported as the same one of several, in any order', () => {
    const other = { ...route, nextHops: [{ device: 'eth8' }] };
    const found = judge({ routes: [route, other] });
    expect(found).to.deep.equal(judge({ routes: [other, route] }));
    expect(found).to.deep.include({ cause: 'in-the-way' });
  });
});

describe("a route of the administrator's that would move to the VRF's table with the interface", () => {
  const own = { domain: domains['its own VRF'] };
  const ownVrf = { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' };
  const arriving = { destination: '10.96.0.0/16', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] };
  const failure = inTheWay(wantedService, 'route 10.96.0.0/16 via 192.0.2.1 dev br-blue table 1012 of protocol static');

  it('is a conflict if a desired route has the key', () => {
    expect(judge({ routes: [arriving] }, own)).to.deep.equal(failure);
    const elsewhere = {
      ...failure,
      wanted: wantedService.replace('1012', '500'),
      found: failure.found.replace('1012', '500'),
    };
    expect(judge({ routes: [arriving] }, { domain: domains['another existing VRF'] })).to.deep.equal(elsewhere);
  });

  it('is no conflict in the default domain, where it stays in main', () => {
    expect(judge({ routes: [arriving] })).to.be.undefined;
  });

  it('is no conflict if it moves to another key, or not at all', () => {
    expect(judge({ routes: [{ ...arriving, table: 77 }] }, own), 'of another table').to.be.undefined;
    expect(judge({ routes: [{ ...arriving, protocol: 'bgp' }] }, own), 'put back by its daemon').to.be.undefined;
    expect(judge({ routes: [{ ...arriving, nextHops: [{ device: 'eth9' }] }] }, own), 'of another device').to.be
      .undefined;
    const links = [hostInterface, managementPort, { name: 'br-blue.7', kind: 'vlan', lowerDevice: 'br-blue' }];
    const stacked = { ...arriving, nextHops: [{ device: 'br-blue.7' }] };
    expect(judge({ links, routes: [stacked] }, own), 'of a VLAN device').to.be.undefined;
  });

  it('is judged by its place once the interface is a member', () => {
    const links = [{ ...hostInterface, master: 'blue' }, managementPort, ownVrf, corporateVrf];
    expect(judge({ links, routes: [arriving] }, own)).to.be.undefined;
    expect(judge({ links, routes: [{ ...arriving, table: 1012 }] }, own)).to.deep.equal(failure);
  });
});

describe('an unmanaged rule with the key of a desired one', () => {
  const rule = { family: 4, priority: 1999, mark: 0x1007, table: 77, protocol: 'boot' } as const;

  it('is a conflict if it looks up another table', () => {
    expect(judge({ rules: [rule] })).to.deep.equal(
      inTheWay(
        'IPv4 rule 1999: mark 0x1007 looks up table 1012',
        'IPv4 rule 1999: mark 0x1007 looks up table 77 of protocol boot',
      ),
    );
  });

  it('serves if it looks up the same table', () => {
    expect(judge({ rules: [{ ...rule, table: 1012 }] })).to.be.undefined;
  });

  it('is no conflict with another match or priority', () => {
    for (const other of [{ mark: 0x1008 }, { priority: 2000 }, { markMask: 0xff }, { others: { iif: '"eth9"' } }]) {
      expect(judge({ rules: [{ ...rule, ...other }] }), JSON.stringify(other)).to.be.undefined;
    }
    expect(judge({ rules: [{ ...rule, family: 6 }] }, { families: [4] }), 'of the other family').to.be.undefined;
  });

  it('is no conflict if it has the signature: it is replaced', () => {
    expect(judge({ rules: [{ ...rule, protocol: '94' }] })).to.be.undefined;
  });

  it('is reported as the same one of several, in any order', () => {
    const other = { ...rule, table: 78 };
    expect(judge({ rules: [rule, other] })).to.deep.equal(judge({ rules: [other, rule] }));
  });
});

describe('an unmanaged neighbour with the key of a desired one', () => {
  const neighbour = { device: 'br-blue', address: '169.254.0.4', macAddress: '02:00:00:00:00:99' };

  it('is a conflict if it is permanent and has another MAC address', () => {
    expect(judge({ neighbours: [neighbour] })).to.deep.equal(
      inTheWay(
        'neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
        'neighbour 169.254.0.4 at 02:00:00:00:00:99 on br-blue',
      ),
    );
    const ipv6 = { ...neighbour, address: 'fe80::858:a9ff:fefe:4' };
    expect(judge({ neighbours: [ipv6] })).to.deep.include({
      wanted: 'neighbour fe80::858:a9ff:fefe:4 at 0a:58:a9:fe:00:04 on br-blue',
    });
  });

  it('is a conflict with state noarp, unless the kernel added it', () => {
    const unresolved = { ...neighbour, states: ['noarp'] };
    expect(judge({ neighbours: [unresolved] })).to.deep.equal(judge({ neighbours: [neighbour] }));
    expect(judge({ neighbours: [{ ...unresolved, macAddress: '02:00:00:00:00:01' }] })).to.be.undefined;
  });

  it('serves if it has the same MAC address', () => {
    expect(judge({ neighbours: [{ ...neighbour, macAddress: '0a:58:a9:fe:00:04' }] })).to.be.undefined;
  });

  it('is no conflict if the kernel learned it: it is replaced', () => {
    expect(judge({ neighbours: [{ ...neighbour, states: ['reachable'] }] })).to.be.undefined;
  });

  it('is no conflict on another device, or of another address', () => {
    expect(judge({ neighbours: [{ ...neighbour, device: 'eth9' }] })).to.be.undefined;
    expect(judge({ neighbours: [{ ...neighbour, address: '169.254.0.5' }] })).to.be.undefined;
  });

  it('is no conflict if it has the signature: it is replaced', () => {
    expect(judge({ neighbours: [{ ...neighbour, protocol: '94' }] })).to.be.undefined;
  });
});

describe('conflicting entities', () => {
  const route = { destination: '0.0.0.0/0', table: 1012, nextHops: [{ device: 'eth9' }] };
  const rule = { family: 4, priority: 1999, mark: 0x1007, table: 77 } as const;
  const neighbour = { device: 'br-blue', address: '169.254.0.4', macAddress: '02:00:00:00:00:99' };

  it('are reported one at a time: routes, then rules, then neighbours', () => {
    const first = (node: Omit<BriefNode, 'nodeName'>) => {
      const { found } = judge(node) as { readonly found: string };
      return found.split(' ').slice(0, 2).join(' ');
    };
    expect(first({ routes: [route], rules: [rule], neighbours: [neighbour] })).to.equal('route default');
    expect(first({ rules: [rule], neighbours: [neighbour] })).to.equal('IPv4 rule');
    expect(first({ neighbours: [neighbour] })).to.equal('neighbour 169.254.0.4');
  });

  it('are none while none is desired', () => {
    const input = checkInput({ node: { routes: [route] } }, { dataplane: undefined });
    expect(check(input)).to.be.undefined;
  });
});
