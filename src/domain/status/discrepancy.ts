/**
 * What is not as it should be: where, what is there, and what should be. Told when somebody changed what is ours, and when a change that was
 * carried out did not come about.
 */
import { BRIDGE_MAPPINGS_KEY } from '../conventions.ts';
import { meaningOf, type Operation } from '../operations/operation-kinds.ts';
import { ownRouteInPlaceOf } from '../operations/own-route.ts';
import { routeText } from '../operations/route-words.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** One thing of a node that is not as it should be. */
export interface Discrepancy {
  readonly path: string;
  readonly found: string;
  readonly wanted: string;
}

const nothing = 'nothing';

function master(device: string, { links }: NodeSnapshot): string {
  return links.find(({ name }) => name === device)?.master ?? nothing;
}

/** What an operation would mend on a node as it is. */
export function discrepancyOf(operation: Operation, node: NodeSnapshot): Discrepancy {
  const meaning = meaningOf(operation);
  switch (operation.kind) {
    case 'enslave':
      return { path: `${operation.device}: master`, found: master(operation.device, node), wanted: operation.vrf };
    case 'release':
      return { path: `${operation.device}: master`, found: master(operation.device, node), wanted: nothing };
    case 'sign-vrf': {
      const link = node.links.find(({ name }) => name === operation.vrf);
      return { path: `${operation.vrf}: alias`, found: link?.alias ?? nothing, wanted: operation.alias };
    }
    case 'bring-up-vrf':
      return { path: operation.vrf, found: 'down', wanted: 'up' };
    case 'set-sysctl':
      return {
        path: operation.name,
        found: node.sysctls[operation.name] ?? nothing,
        wanted: operation.value,
      };
    case 'replace-route': {
      const { route } = operation;
      const found = ownRouteInPlaceOf(route, node);
      return {
        path: `route ${route.destination} of table ${route.table}`,
        found: found === undefined ? nothing : routeText(found),
        wanted: routeText(route),
      };
    }
    case 'add-bridge-mapping':
    case 'remove-bridge-mapping': {
      const entry = `${operation.networkName}:${operation.bridge}`;
      return {
        path: `Open_vSwitch external_ids:${BRIDGE_MAPPINGS_KEY}`,
        found: node.switchExternalIds[BRIDGE_MAPPINGS_KEY] ?? nothing,
        wanted: operation.kind === 'add-bridge-mapping' ? `with ${entry}` : `without ${entry}`,
      };
    }
    default: {
      const isThere = meaning.mark === '-';
      return {
        path: meaning.summary(operation),
        found: isThere ? 'there' : 'missing',
        wanted: isThere ? 'gone' : 'there',
      };
    }
  }
}

/** A discrepancy in a few words. */
export function discrepancyText({ path, found, wanted }: Discrepancy): string {
  return `${path} is ${found}, and should be ${wanted}`;
}
