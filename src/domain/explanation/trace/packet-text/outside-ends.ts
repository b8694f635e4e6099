/** Where Services are reached from the wire: `service/NAME` as the destination of a packet that comes from there. */
import type { AddressFamily } from '../../../basics/addresses/ip-address.ts';
import { isSamePort } from '../../../services/exposed-ports.ts';
import type { PacketOrigin } from '../hop.ts';
import type { ServiceHere } from '../node-services/node-services.ts';
import { originOf } from '../origin.ts';
import type { TracedNode } from '../traced-node.ts';

/** A port of a Service that a packet asks for. */
interface AskedPort {
  readonly family: AddressFamily;
  readonly protocol: string;
  readonly port: number;
}

/** An address with a port. */
interface OutsideEnd {
  readonly address: string;
  readonly port: number;
}

/** The ends of Services on a node for packets from the wire. */
export interface OutsideEnds {
  readonly nodeName: string;
  /** Whether packets with a source come from the wire. */
  isFromWire(source: string): boolean;
  /** Where a port of a Service is reached; undefined where it is not. @param key `namespace/name` */
  endOf(key: string, asked: AskedPort): OutsideEnd | undefined;
}

/** The first address of its own by which a Service is reached, otherwise that of the uplink with the node port. */
function endOf({ exposed, outside }: ServiceHere, { family, protocol, port }: AskedPort): OutsideEnd | undefined {
  if (typeof exposed === 'string' || outside === undefined) return undefined;
  const reached = outside.ports.filter(
    (each) =>
      each.family === family &&
      each.protocol === protocol &&
      each.servicePort.port === port &&
      exposed.ports.some((own) => isSamePort(own, each)),
  );
  return reached.find(({ isOfService }) => isOfService) ?? reached[0];
}

/** Finds the ends of Services on a node. @param from the origin of packets, if it is given */
export function outsideEnds(node: TracedNode, from?: PacketOrigin): OutsideEnds {
  return {
    nodeName: node.nodeName,
    isFromWire: (source) => {
      const origin = originOf(node, source, from);
      return 'origin' in origin && origin.origin === 'wire';
    },
    endOf: (key, asked) => {
      const found = node.services.all.find((each) => each.key === key);
      return found && endOf(found, asked);
    },
  };
}
