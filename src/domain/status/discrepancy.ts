/**
 * What is not as it should be: where, what is there, and what should be. Told when somebody changed what is ours, and when a change that was
 * carried out did not come about.
 */
import { BRIDGE_MAPPINGS_KEY } from '../conventions.ts';
import { meaningOf, type Operation } from '../operations/operation-kinds.ts';
import { ownRouteInPlaceOf } from '../operations/own-route.ts';
import { routeText } from '../operations/route-words.ts';
import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';

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

function presence(operation: Operation): Discrepancy {
  const meaning = meaningOf(operation);
  const [found, wanted] = meaning.mark === '-' ? ['there', 'gone'] : ['missing', 'there'];
  return { path: meaning.summary(operation), found, wanted };
}

function mappings({ switchExternalIds }: NodeSnapshot, wanted: string): Discrepancy {
  const found = switchExternalIds[BRIDGE_MAPPINGS_KEY] ?? nothing;
  return { path: `Open_vSwitch external_ids:${BRIDGE_MAPPINGS_KEY}`, found, wanted };
}

function routeInPlace(route: Route, node: NodeSnapshot): Discrepancy {
  const found = ownRouteInPlaceOf(route, node);
  return {
    path: `route ${route.destination} of table ${route.table}`,
    found: found === undefined ? nothing : routeText(found),
    wanted: routeText(route),
  };
}

/** What an operation would mend on a node as it is. */
export function discrepancyOf(operation: Operation, node: NodeSnapshot): Discrepancy {
  switch (operation.kind) {
    case 'enslave':
      return { path: `master of ${operation.device}`, found: master(operation.device, node), wanted: operation.vrf };
    case 'release':
      return { path: `master of ${operation.device}`, found: master(operation.device, node), wanted: nothing };
    case 'sign-vrf': {
      const found = node.links.find(({ name }) => name === operation.vrf)?.alias ?? nothing;
      return { path: `alias of ${operation.vrf}`, found, wanted: operation.alias };
    }
    case 'bring-up-vrf':
      return { path: operation.vrf, found: 'down', wanted: 'up' };
    case 'set-sysctl':
      return { path: operation.name, found: node.sysctls[operation.name] ?? nothing, wanted: operation.value };
    case 'replace-route':
      return routeInPlace(operation.route, node);
    case 'add-bridge-mapping':
      return mappings(node, `with ${operation.networkName}:${operation.bridge}`);
    case 'remove-bridge-mapping':
      return mappings(node, `without ${operation.networkName}:${operation.bridge}`);
    default:
      return presence(operation);
  }
}

/** A discrepancy in a few words. */
export function discrepancyText({ path, found, wanted }: Discrepancy): string {
  return `${path} is ${found}, and should be ${wanted}`;
}
