import { expect } from 'chai';
import { dataplaneOf } from '../../../../src/domain/plan/parts/parts.ts';
import { dataplaneInput, dataplaneLines, domains } from './dataplane-input.ts';

/** Settings of the interface as most machines have them. */
const sysctls = {
  'net.ipv4.conf.all.rp_filter': '0',
  'net.ipv4.conf.br-blue.rp_filter': '1',
  'net.ipv6.conf.br-blue.keep_addr_on_down': '0',
};

const mapping = 'mapping cluster_udn_blue:br-blue';

const parts = {
  4: (table: number) => ({
    default: `route 0.0.0.0/0 via 192.0.2.1 dev br-blue {"mtu":1400} table ${table} proto 94`,
    fallback: `route unreachable 0.0.0.0/0 metric 4278198272 table ${table} proto 94`,
    services: `route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table ${table} proto 94`,
    rule: `rule IPv4 1999 mark 4103 table ${table} proto 94`,
    neighbour: 'neighbour 169.254.0.4 0a:58:a9:fe:00:04 on br-blue permanent proto 94',
  }),
  6: (table: number) => ({
    default: `route ::/0 via 2001:db8:b::1 dev br-blue metric 1024 {"mtu":1400} table ${table} proto 94`,
    fallback: `route unreachable ::/0 metric 4278198272 table ${table} proto 94`,
    services: `route fd00:10:96::/112 via fe80::858:a9ff:fefe:4 dev br-blue src fd69::2 metric 1024 table ${table} proto 94`,
    rule: `rule IPv6 1999 mark 4103 table ${table} proto 94`,
    neighbour: 'neighbour fe80::858:a9ff:fefe:4 0a:58:a9:fe:00:04 on br-blue permanent proto 94',
  }),
} as const;

const addresses = {
  4: ['169.254.0.2/32', '169.254.0.3/32'],
  6: ['fd69::2/128 nodad', 'fd69::3/128 nodad'],
} as const;

/** The rows of the table in docs/design/dataplane.md, "Desired state", in which the columns differ. */
const columns = {
  'the default routing domain': {
    vrf: { name: 'blue', table: 1012, own: true, enslaves: false },
    attachment: ['VRF blue table 1012 signed as ovn-uplinks:cluster_udn_blue'],
    bears: undefined,
    settings: { 4: ['setting net.ipv4.conf.br-blue.rp_filter = 2'], always: [] },
  },
  'its own VRF': {
    vrf: { name: 'blue', table: 1012, own: true, enslaves: true },
    attachment: [
      'VRF blue table 1012 signed as ovn-uplinks:cluster_udn_blue',
      'br-blue in VRF blue of table 1012, for cluster_udn_blue',
    ],
    bears: 'blue',
    settings: {
      4: ['setting net.ipv4.conf.br-blue.rp_filter = 2'],
      always: ['setting net.ipv6.conf.br-blue.keep_addr_on_down = 1'],
    },
  },
  'another existing VRF': {
    vrf: { name: 'corp', table: 500, own: false, enslaves: true },
    attachment: ['br-blue in VRF corp of table 500, for cluster_udn_blue'],
    bears: 'corp',
    settings: {
      4: ['setting net.ipv4.conf.br-blue.rp_filter = 2'],
      always: ['setting net.ipv6.conf.br-blue.keep_addr_on_down = 1'],
    },
  },
} as const;

const families = { IPv4: [4], IPv6: [6], 'both families': [4, 6] } as const;

for (const [where, column] of Object.entries(columns)) {
  describe(`a network in ${where}`, () => {
    for (const [what, has] of Object.entries(families)) {
      const { vrf, attachment, bears, settings } = column;
      const byFamily = has.map((family) => parts[family](vrf.table));
      const lines = [
        ...attachment,
        ...(bears === undefined
          ? []
          : has.flatMap((family) => addresses[family].map((of) => `address ${of} on ${bears}`))),
        ...byFamily.flatMap((part) => [
          ...(bears === undefined ? [part.default] : []),
          ...(vrf.own ? [part.fallback] : []),
          part.services,
        ]),
        ...byFamily.map(({ rule }) => rule),
        ...byFamily.map(({ neighbour }) => neighbour),
        ...settings.always,
        ...((has as readonly number[]).includes(4) ? settings[4] : []),
        mapping,
      ];
      it(`of ${what} has\n          ${lines.join('\n          ')}\n`, () => {
        const input = dataplaneInput({
          families: has,
          domain: domains[where as keyof typeof domains],
          defaultGateways: ['192.0.2.1', '2001:db8:b::1'],
          node: { sysctls },
        });
        const dataplane = dataplaneOf(input);
        expect(dataplaneLines(dataplane)).to.deep.equal(lines);
        expect(dataplane).to.deep.include({ vrf, uplink: 'blue', device: 'br-blue' });
      });
    }
  });
}

describe('the dataplane of a network', () => {
  it('is plain data', () => {
    const dataplane = dataplaneOf(dataplaneInput({ defaultGateways: ['192.0.2.1'], node: { sysctls } }));
    expect(JSON.parse(JSON.stringify(dataplane))).to.deep.equal(dataplane);
  });
});
