import type { NftFilter } from '../../../../src/domain/datapath/nftables/table.ts';

/** A filter with a set of each form, and two chains. */
export const smallFilter: NftFilter = {
  table: { family: 'inet', name: 'small' },
  sets: [
    { name: 'ports', type: 'ifname' },
    { name: 'owners4', type: ['ifname', 'ipv4_addr'] },
    { name: 'denied4', type: 'ipv4_addr', isOfSubnets: true },
    { name: 'denied6', type: 'ipv6_addr', isOfSubnets: true },
  ],
  chains: [
    {
      name: 'forward',
      base: { type: 'filter', hook: 'forward', prio: -10, policy: 'accept' },
      rules: [
        { expr: [{ accept: null }], comment: 'first (1)' },
        { expr: [{ drop: null }], comment: 'second (2)' },
      ],
    },
    {
      name: 'last',
      base: { type: 'filter', hook: 'postrouting', prio: 300, policy: 'accept' },
      rules: [{ expr: [{ counter: null }, { drop: null }], comment: 'third (3)' }],
    },
  ],
};
