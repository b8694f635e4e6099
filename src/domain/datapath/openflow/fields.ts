/** The fields that flows match and set (ovs-fields(7)), in the order in which ovs-ofctl(8) prints them. */

/** How the value of a field is written. */
export type FieldFormat = 'decimal' | 'hexadecimal' | 'mac' | 'ipv4' | 'ipv6' | 'port' | 'ct-state' | 'fragment';

/** Properties of a field. */
export interface Field {
  /** Width in bits. */
  readonly bits: number;
  readonly format: FieldFormat;
  /** Its name in `move`, `load` and `learn`; absent if they cannot use it. */
  readonly nxm?: string;
  /** Its name in `set_field`, if that differs. */
  readonly oxm?: string;
}

const register = (number: number): Field => ({ bits: 32, format: 'hexadecimal', nxm: `NXM_NX_REG${String(number)}` });

export const fields = {
  pkt_mark: { bits: 32, format: 'hexadecimal', nxm: 'NXM_NX_PKT_MARK' },
  ct_state: { bits: 32, format: 'ct-state', nxm: 'NXM_NX_CT_STATE' },
  ct_zone: { bits: 16, format: 'decimal', nxm: 'NXM_NX_CT_ZONE' },
  ct_mark: { bits: 32, format: 'hexadecimal', nxm: 'NXM_NX_CT_MARK' },
  reg0: register(0),
  reg1: register(1),
  reg2: register(2),
  reg3: register(3),
  reg4: register(4),
  reg5: register(5),
  reg6: register(6),
  reg7: register(7),
  metadata: { bits: 64, format: 'hexadecimal', nxm: 'OXM_OF_METADATA' },
  in_port: { bits: 32, format: 'port', nxm: 'NXM_OF_IN_PORT' },
  vlan_tci: { bits: 16, format: 'hexadecimal', nxm: 'NXM_OF_VLAN_TCI', oxm: 'vlan_vid' },
  dl_src: { bits: 48, format: 'mac', nxm: 'NXM_OF_ETH_SRC', oxm: 'eth_src' },
  dl_dst: { bits: 48, format: 'mac', nxm: 'NXM_OF_ETH_DST', oxm: 'eth_dst' },
  dl_type: { bits: 16, format: 'hexadecimal', nxm: 'NXM_OF_ETH_TYPE', oxm: 'eth_type' },
  nw_src: { bits: 32, format: 'ipv4', nxm: 'NXM_OF_IP_SRC', oxm: 'ip_src' },
  nw_dst: { bits: 32, format: 'ipv4', nxm: 'NXM_OF_IP_DST', oxm: 'ip_dst' },
  arp_spa: { bits: 32, format: 'ipv4', nxm: 'NXM_OF_ARP_SPA' },
  arp_tpa: { bits: 32, format: 'ipv4', nxm: 'NXM_OF_ARP_TPA' },
  ipv6_src: { bits: 128, format: 'ipv6', nxm: 'NXM_NX_IPV6_SRC' },
  ipv6_dst: { bits: 128, format: 'ipv6', nxm: 'NXM_NX_IPV6_DST' },
  nw_proto: { bits: 8, format: 'decimal', nxm: 'NXM_OF_IP_PROTO' },
  arp_op: { bits: 16, format: 'decimal', nxm: 'NXM_OF_ARP_OP' },
  nw_ttl: { bits: 8, format: 'decimal', nxm: 'NXM_NX_IP_TTL' },
  arp_sha: { bits: 48, format: 'mac', nxm: 'NXM_NX_ARP_SHA' },
  arp_tha: { bits: 48, format: 'mac', nxm: 'NXM_NX_ARP_THA' },
  nw_frag: { bits: 2, format: 'fragment' },
  tp_src: { bits: 16, format: 'decimal' },
  tp_dst: { bits: 16, format: 'decimal' },
  icmp_type: { bits: 8, format: 'decimal' },
  icmp_code: { bits: 8, format: 'decimal' },
  nd_target: { bits: 128, format: 'ipv6', nxm: 'NXM_NX_ND_TARGET' },
  nd_sll: { bits: 48, format: 'mac', nxm: 'NXM_NX_ND_SLL' },
  nd_tll: { bits: 48, format: 'mac', nxm: 'NXM_NX_ND_TLL' },
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof fields;

/** All fields, in the order in which they are printed. */
export const fieldNames = Object.keys(fields) as readonly FieldName[];

/** Properties of a field. */
export function fieldOf(name: FieldName): Field {
  return fields[name];
}

/** Whether a text is the name of a field in a match. */
export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name);
}

/** Keywords of ovs-fields(7) that stand for an Ethernet type, and for an IP protocol if they name one. */
export const protocols = {
  ip: { dl_type: 0x0800 },
  icmp: { dl_type: 0x0800, nw_proto: 1 },
  tcp: { dl_type: 0x0800, nw_proto: 6 },
  udp: { dl_type: 0x0800, nw_proto: 17 },
  sctp: { dl_type: 0x0800, nw_proto: 132 },
  ipv6: { dl_type: 0x86dd },
  icmp6: { dl_type: 0x86dd, nw_proto: 58 },
  tcp6: { dl_type: 0x86dd, nw_proto: 6 },
  udp6: { dl_type: 0x86dd, nw_proto: 17 },
  sctp6: { dl_type: 0x86dd, nw_proto: 132 },
  arp: { dl_type: 0x0806 },
} as const satisfies Readonly<Record<string, { readonly dl_type: number; readonly nw_proto?: number }>>;

export type Protocol = keyof typeof protocols;

/** Whether a text is the keyword of a protocol. */
export function isProtocol(name: string): name is Protocol {
  return Object.hasOwn(protocols, name);
}
