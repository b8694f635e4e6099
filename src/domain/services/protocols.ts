import type { ServicePort } from '../api/service.ts';

/** The protocols that OVN balances, by their names in Services. */
export const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

export type ProtocolName = keyof typeof protocols;

/** The protocol of a port of a Service; undefined for one that OVN does not balance. */
export function balancedProtocol({ protocol = 'TCP' }: ServicePort): (typeof protocols)[ProtocolName] | undefined {
  return protocols[protocol as ProtocolName];
}
