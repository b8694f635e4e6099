/** The names of the files of a captured node, as written by the capture and cited by explanations. */
export const capturedFiles = {
  links: 'ip-link.json',
  addresses: 'ip-address.json',
  routes4: 'ip-route4.json',
  routes6: 'ip-route6.json',
  rules4: 'ip-rule4.json',
  rules6: 'ip-rule6.json',
  neighbours: 'ip-neighbour.json',
  neighbourProxies: 'ip-neighbour-proxy.json',
  nextHopObjects: 'ip-nexthop.json',
  /** Open vSwitch's database. */
  switchDatabase: 'ovsdb.json',
  /** OVN's Northbound database. */
  northbound: 'ovn-nb.json',
  /** The chassis in its Southbound database. */
  southbound: 'ovn-sb.json',
  /** Kernel settings. */
  sysctls: 'sysctl.txt',
  /** Tables of nftables that filter packets. */
  packetFilters: 'nft-inet.json',
  /** The base chains of all tables of nftables. */
  chains: 'nft-chains.json',
  ledger: 'ledger/ledger.json',
  /** The folder with the flows of each bridge. */
  flows: 'flows/',
  /** The folder with the OpenFlow ports of each bridge. */
  ports: 'ports/',
  /** The folder with the MAC table of each bridge. */
  fdb: 'fdb/',
} as const;
