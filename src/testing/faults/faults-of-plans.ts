/**
 * Faults in what is decided: they break the laws on purity, isolation, conflicts and reachability.
 */
import { ownerKey, uplinkOwner } from '../../domain/dataplane/owner.ts';
import type { ClusterSnapshot, Entity, NetworkOnNode, NodePlan } from '../../domain/index.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import { isManagementPortName } from '../../domain/network/names/management-port.ts';
import { type Engine, engine } from '../engine.ts';
import { withOtherInput, type SeededFault, withOperations, withPlan } from './faulty-engine.ts';

/** An engine that counts its plans. */
function counting(): Engine {
  let plans = 0;
  return withPlan((plan) => ({
    ...plan,
    warnings: [...plan.warnings, { object: `Node/${plan.nodeName}`, message: `plan ${++plans}` }],
  }));
}

/** An engine that sorts a list of its input in place. */
const sorting: Engine = {
  ...engine,
  planNode: (cluster, node, settings) => {
    (cluster.uplinks as ClusterSnapshot['uplinks'][number][]).sort(by(({ metadata }) => metadata.name)).reverse();
    return engine.planNode(cluster, node, settings);
  },
};

function isInConflict({ failure }: NetworkOnNode): boolean {
  return failure?.reason === 'UplinkConfigurationConflict';
}

function withoutFailure({ failure: _failure, ...row }: NetworkOnNode): NetworkOnNode {
  return { ...row, held: false };
}

/** An engine in which one network of a conflict, or of another set, is not held: the first one in some order. */
function withWinner(
  order: (networks: readonly string[], cluster: ClusterSnapshot) => readonly string[],
  isInSet = isInConflict,
): Engine {
  return withPlan((plan, cluster) => {
    const [winner] = order(
      plan.networks.filter(isInSet).map(({ network }) => network),
      cluster,
    );
    return {
      ...plan,
      networks: plan.networks.map((row) => (row.network === winner ? withoutFailure(row) : row)),
    };
  });
}

function withoutKept({ dataplane, ...plan }: NodePlan): NodePlan {
  const stays = dataplane.stays.filter(({ why }) => why.reason !== 'held');
  return { ...plan, dataplane: { ...dataplane, kept: [], stays } };
}

/** An engine that removes some of what belongs to held networks. */
function releasing(isReleased: (entity: Entity) => boolean): Engine {
  return withPlan(({ dataplane, ...plan }) => {
    const stays = dataplane.stays.filter(({ entity, why }) => why.reason !== 'held' || !isReleased(entity));
    return { ...plan, dataplane: { ...dataplane, stays } };
  });
}

/** The plan with some of its networks programmed and no others. */
function programming({ dataplane, ...plan }: NodePlan, programmed: NodePlan['dataplane']['programmed']): NodePlan {
  const keys = programmed.map(({ network }) => ownerKey(uplinkOwner(network)));
  const desired = dataplane.desired.filter(({ owners }) => owners.some((owner) => keys.includes(ownerKey(owner))));
  return { ...plan, dataplane: { ...dataplane, programmed, desired } };
}

function withoutAddresses(cluster: ClusterSnapshot, isUnseen: (address: string) => boolean): ClusterSnapshot {
  const nodes = cluster.nodes.map(({ status, ...node }) => ({
    ...node,
    status: { addresses: (status?.addresses ?? []).filter(({ address }) => !isUnseen(address)) },
  }));
  return { ...cluster, nodes };
}

export const faultsOfPlans: readonly SeededFault[] = [
  {
    law: '1 pure',
    fault: 'Networks are in the order of the input',
    engine: withPlan((plan, { clusterUserDefinedNetworks }) => ({
      ...plan,
      networks: clusterUserDefinedNetworks.flatMap(({ metadata }) =>
        plan.networks.filter(({ network }) => network === metadata.name),
      ),
    })),
  },
  { law: '1 pure', fault: 'A message counts the plans that were made', engine: counting() },
  { law: '1 pure', fault: 'A list of the input is sorted in place', engine: sorting },
  {
    law: '4 isolated',
    fault: 'No network is programmed while one cannot be',
    engine: withPlan((plan) =>
      plan.networks.some(({ failure }) => failure !== undefined) ? programming(plan, []) : plan,
    ),
  },
  {
    law: '4 isolated',
    fault: 'Only one network is programmed on a node',
    engine: withPlan((plan) => programming(plan, plan.dataplane.programmed.slice(0, 1))),
  },
  {
    law: '4 isolated',
    fault: 'No network is provided on a node while one cannot be',
    engine: withPlan((plan) => {
      if (plan.zones?.some(({ failure }) => failure !== undefined) !== true) return plan;
      const desired = plan.dataplane.desired.filter(({ owners }) =>
        owners.every((owner) => owner.kind !== 'network' || owner.part !== 'network'),
      );
      return { ...plan, dataplane: { ...plan.dataplane, desired } };
    }),
  },
  {
    law: '4 isolated',
    fault: 'Networks are numbered by their place in the list',
    engine: withPlan((plan) => ({
      ...plan,
      networks: plan.networks.map((row, place) => ({ ...row, vlan: place + 1 })),
    })),
  },
  {
    law: '4 isolated',
    fault: 'Provided networks are numbered by their place in the list',
    engine: withPlan(({ zones, ...plan }) => ({
      ...plan,
      ...(zones && { zones: zones.map((zone, place) => ({ ...zone, networkId: place + 1 })) }),
    })),
  },
  {
    law: '5 symmetric',
    fault: 'The first network of a conflict by name wins',
    engine: withWinner((networks) => networks),
  },
  {
    law: '5 symmetric',
    fault: 'The first of the networks with overlapping subnets wins',
    engine: withWinner(
      (networks) => networks,
      ({ failure }) => failure?.reason === 'SubnetsOverlap' && failure.cause === 'advertised',
    ),
  },
  {
    law: '5 symmetric',
    fault: 'The last network of a conflict in the input wins',
    engine: withWinner((networks, { clusterUserDefinedNetworks }) =>
      clusterUserDefinedNetworks
        .map(({ metadata }) => metadata.name)
        .filter((name) => networks.includes(name))
        .toReversed(),
    ),
  },
  { law: '5 symmetric', fault: 'What belongs to held networks is removed', engine: withPlan(withoutKept) },
  {
    law: '5 symmetric',
    fault: 'The rows of held provided networks are deleted',
    engine: releasing((entity) => entity.kind === 'northbound-row' && entity.row.isOfZone === true),
  },
  {
    law: '5 symmetric',
    fault: 'The management ports of held networks are removed',
    engine: releasing(({ kind }) => kind === 'management-port'),
  },
  {
    law: '5 symmetric',
    fault: 'Routes by the management ports of held networks are removed',
    engine: releasing(
      (entity) =>
        entity.kind === 'route' && entity.route.nextHops.some(({ device = '' }) => isManagementPortName(device)),
    ),
  },
  {
    law: '5 symmetric',
    fault: 'The gateway routers of held networks are deleted',
    engine: releasing((entity) => entity.kind === 'northbound-row' && entity.row.isOfZone !== true),
  },
  {
    law: '5 symmetric',
    fault: 'The interfaces of held networks leave their VRFs',
    engine: releasing((entity) => entity.kind === 'membership' && !isManagementPortName(entity.device)),
  },
  {
    law: '5 symmetric',
    fault: 'What belongs to held networks is removed, for no network by name',
    engine: withOperations((operations, node, plan) => [
      ...operations,
      ...engine.diffNode(withoutKept(plan), node).flatMap((operation) => {
        const isPlanned = operations.some((planned) => JSON.stringify(planned) === JSON.stringify(operation));
        return isPlanned ? [] : [{ ...operation, networks: [] }];
      }),
    ]),
  },
  {
    law: 'reachable',
    fault: 'InternalIPs are not read',
    engine: withOtherInput({ cluster: (cluster) => withoutAddresses(cluster, () => true) }),
  },
  {
    law: 'reachable',
    fault: 'InternalIPs of IPv4 are not read',
    engine: withOtherInput({ cluster: (cluster) => withoutAddresses(cluster, (address) => !address.includes(':')) }),
  },
  {
    law: 'reachable',
    fault: 'Default routes count by devices that are down',
    engine: withOtherInput({
      node: (node) => ({
        ...node,
        routes: node.routes.map((route) => ({
          ...route,
          nextHops: route.nextHops.map(({ down: _down, ...hop }) => hop),
        })),
      }),
    }),
  },
  {
    law: 'reachable',
    fault: 'Default routes in two halves are not found',
    engine: withOtherInput({
      node: (node) => ({ ...node, routes: node.routes.filter(({ destination }) => !destination.endsWith('/1')) }),
    }),
  },
  {
    law: 'reachable',
    fault: 'Default routes of other interfaces are expected where there are none',
    engine: withOtherInput({
      node: (node) => ({
        ...node,
        routes: [
          ...node.routes,
          ...([4, 6] as const).map((family) => ({
            family,
            table: 254,
            destination: family === 4 ? '0.0.0.0/0' : '::/0',
            type: 'unicast',
            protocol: 'static',
            metric: 9999,
            nextHops: [{ device: 'br-ex', gateway: family === 4 ? '198.51.100.1' : 'fe80::1' }],
          })),
        ],
      }),
    }),
  },
];
