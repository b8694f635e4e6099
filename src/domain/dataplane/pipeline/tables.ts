/**
 * The tables and registers of an uplink bridge, and the conntrack zones of an uplink, each declared once. Tables 2 and 3 and the one of local endpoints
 * are those of services, which are not programmed yet.
 */

/** Tables by what they decide. */
export const tables = {
  /** Where a packet comes from, and what is done with it therefore. */
  classify: 0,
  /** Whose connection a packet from the wire belongs to. */
  connections: 1,
  /** Learned: which networks have asked for a neighbour. */
  askers: 11,
  /** Learned: IPv4 neighbours that are known, by the address that is asked for. */
  askedNeighbours: 20,
  /** The MAC address of the neighbour that a virtual MAC address stands for. */
  nextHop: 21,
  /** Whether a packet of a network has got the address of the uplink. */
  translated: 22,
  /** Answers an ARP request of a network, or sends it to the wire. */
  answer: 23,
  /** Learned: IPv4 neighbours that are known, by the address that speaks. */
  speakingNeighbours: 24,
  /** Updates the MAC address of a known neighbour that speaks. */
  refresh: 25,
} as const;

export type TableName = keyof typeof tables;

/** Registers by what they hold. */
export const registers = {
  /** The slot of the networks that an advertisement is given to. */
  slot: 'reg0',
  /** 1 where a neighbour is known. */
  isKnown: 'reg1',
  /** An address that is on its way from one field to another. */
  scratch: 'reg2',
} as const;

/** Conntrack zones of an uplink, by their offset in its block of four. */
export const zones = { connections: 0, hostMasquerade: 1, localNodePorts: 2, reassembly: 3 } as const;

/** Into how many slots networks that wait for neighbour advertisements are divided. */
export const SLOTS = 32;

/** What learned flows are limited to (docs/design/flows.md, "Neighbours"). */
export const learning = {
  /** How many flows each row may learn. */
  limit: 2048,
  /** Seconds for which an ARP reply is given to a network that has asked. */
  askerSeconds: 10,
  /** Seconds for which an advertisement is given to a network that has solicited it. */
  solicitationSeconds: 3,
  /** Seconds for which requests are answered in a neighbour's place. */
  answerSeconds: 600,
  /** Seconds for which a neighbour that speaks updates its MAC address. */
  refreshSeconds: 1200,
  /** Seconds without a packet after which a neighbour's MAC address is forgotten: more than mac_binding_age_threshold of the routers. */
  nextHopSeconds: 900,
} as const;
