/**
 * The tables and registers of an uplink bridge, and the conntrack zones of an uplink, each declared once. Tables 2 and 3 and the zones `hostMasquerade` and
 * `localNodePorts` are reserved for the way of the host to Services, which is not programmed yet.
 */

/** Numbers of the tables. */
export const tables = {
  /** Decides by where a packet comes from. */
  classify: 0,
  /** Outputs packets from the wire to the owner of their connection. */
  connections: 1,
  /** Learned: networks that wait for the reply of a neighbour. */
  waitingNetworks: 11,
  /** Learned: known IPv4 neighbours, by the target address of a request. */
  knownTargets: 20,
  /** Replaces the virtual MAC address of a neighbour by its own. */
  nextHop: 21,
  /** Checks that packets of networks were translated to the address of the uplink, and the source of their neighbour solicitations. */
  translated: 22,
  /** Answers an ARP request of a network, or sends it to the wire. */
  answer: 23,
  /** Learned: known IPv4 neighbours, by the sender address of ARP packets. */
  knownSenders: 24,
  /** Updates the MAC address of a known neighbour from its ARP packets. */
  refresh: 25,
  /** Lets replies of Services go to their next hop. */
  serviceReplies: 26,
} as const;

export type TableName = keyof typeof tables;

/** Registers by what they hold. */
export const registers = {
  /** The slot of the network that asks for a neighbour, or of those that its answer is output to. */
  slot: 'reg0',
  /** 1 where a neighbour is known. */
  isKnown: 'reg1',
  /** Holds an address while two fields are exchanged. */
  scratch: 'reg2',
} as const;

/** Conntrack zones of an uplink, by their offset in its block of four. */
export const zones = { connections: 0, hostMasquerade: 1, localNodePorts: 2, reassembly: 3 } as const;

/** Number of slots that networks waiting for neighbours are divided into. */
export const SLOTS = 32;

/** Limits and timeouts of learned flows (docs/design/flows.md, "Neighbours"). */
export const learning = {
  /** Number of flows that each row may learn. */
  limit: 2048,
  /** Seconds for which a network that has asked for a neighbour gets its ARP reply. */
  requestSeconds: 10,
  /** Seconds for which a network that has solicited a neighbour gets its advertisement. */
  solicitationSeconds: 3,
  /** Seconds for which the bridge answers requests for a neighbour. */
  answerSeconds: 600,
  /** Seconds for which ARP packets of a neighbour update its MAC address. */
  refreshSeconds: 1200,
  /** Seconds without a packet after which the MAC address of a neighbour is removed: longer than `mac_binding_age_threshold` of the routers (ovn-nb(5)). */
  nextHopSeconds: 900,
} as const;
