import { INTERNAL_IP } from '../../domain/api/node.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { Accept } from './accepted-object.ts';

/**
 * Accepts Nodes for the agent of one: of the others only the addresses by which the cluster reaches them are kept, which traffic to nodes is told by. The
 * annotations of a Node have an entry for each network, and change with each.
 */
export function ownNodeAndAddresses(node: string, accept: Accept): Accept {
  return (object, former) => {
    const { name } = isJsonObject(object['metadata']) ? object['metadata'] : {};
    return accept(name === node ? object : { metadata: { name }, ...internalIps(object) }, former);
  };
}

/** The status of a Node with its InternalIPs alone; as it is where it cannot be read. */
function internalIps({ status }: JsonObject): JsonObject {
  if (!isJsonObject(status) || !Array.isArray(status['addresses'])) return { status };
  const addresses = status['addresses'].filter((each) => !isJsonObject(each) || each['type'] === INTERNAL_IP);
  return { status: { addresses } };
}
