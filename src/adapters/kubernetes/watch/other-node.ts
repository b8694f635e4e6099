import { INTERNAL_IP } from '../../../domain/api/node.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  NODE_ID_ANNOTATION,
  NODE_REPORT_ANNOTATION,
  NODE_SUBNETS_ANNOTATION,
} from '../../../domain/basics/conventions.ts';
import { isJsonObject, type JsonObject } from '../../json/json-object.ts';
import type { Accept } from './accepted-object.ts';

/** The annotations of other nodes that provided networks depend on (docs/design/networks.md, "Zones"). */
const TUNNEL_ANNOTATIONS: readonly string[] = [
  NODE_ID_ANNOTATION,
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  NODE_SUBNETS_ANNOTATION,
  NODE_REPORT_ANNOTATION,
];

/**
 * Accepts Nodes for the agent of one: of the others only the addresses by which the cluster reaches them are kept, which identify traffic to nodes, and
 * for provided networks what tunnels to them need, and the subnets of their pods in the default network, which others must not reach. The annotations of a Node have an entry for each network, and change with each.
 */
export function ownNodeAndAddresses(node: string, hasProvidedNetworks: boolean, accept: Accept): Accept {
  return (object, former) => {
    const { name, uid, annotations } = isJsonObject(object['metadata']) ? object['metadata'] : {};
    if (name === node) return accept(object, former);
    // Ids are claimed for an object of a uid.
    const kept = hasProvidedNetworks
      ? { uid, ...(isJsonObject(annotations) && { annotations: tunnelAnnotations(annotations) }) }
      : {};
    const subnets = hasProvidedNetworks ? podSubnets(object) : {};
    return accept({ metadata: { name, ...kept }, ...subnets, ...internalIps(object) }, former);
  };
}

function tunnelAnnotations(annotations: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => TUNNEL_ANNOTATIONS.includes(key)));
}

/** The specification of a Node with the subnets of its pods alone; as it is where it cannot be read. */
function podSubnets({ spec }: JsonObject): JsonObject {
  if (!isJsonObject(spec)) return { spec };
  const { podCIDRs } = spec;
  return { spec: { podCIDRs } };
}

/** The status of a Node with its InternalIPs alone; as it is where it cannot be read. */
function internalIps({ status }: JsonObject): JsonObject {
  if (!isJsonObject(status) || !Array.isArray(status['addresses'])) return { status };
  const addresses = status['addresses'].filter((each) => !isJsonObject(each) || each['type'] === INTERNAL_IP);
  return { status: { addresses } };
}
