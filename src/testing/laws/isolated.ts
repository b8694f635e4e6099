import { MAIN_TABLE } from '../../domain/conventions.ts';
import { diffNode } from '../../domain/diff/diff-node.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import { planNode } from '../../domain/plan/plan-node.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { Case } from '../case.ts';
import { demandSame } from './violation.ts';

const law =
  'isolated: what one network does changes nothing for those that share neither bridge, uplink nor VRF with it';

type Ties = ReadonlySet<string>;

/** What a network shares with those that it may matter to: its uplink, for its MTU; its bridge; every VRF that is asked for. */
function tiesOf({ network, uplink, bridge, vrf, routingDomain: { domain } }: NetworkOnNode): Ties {
  const vrfs = domain.kind === 'contradiction' ? domain.vrfs : [vrf];
  return new Set([
    `uplink ${uplink}`,
    ...(bridge === undefined ? [] : [`bridge ${bridge}`]),
    ...vrfs.flatMap((name) => (name === undefined ? [] : [`vrf ${name}`])),
    // In the default domain a network has a VRF of its own for its services.
    `vrf ${network}`,
  ]);
}

/** The administrator's groups of next hops that an uplink's interface has part in: they come and go with every interface of theirs. */
function groupsOf({ uplink }: NetworkOnNode, { uplinks }: NodePlan, { nextHopObjects }: NodeSnapshot): Ties {
  const device = uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName;
  const own = new Set(nextHopObjects.filter((object) => object.device === device).map(({ id }) => id));
  const groups = nextHopObjects.filter(({ group = [] }) => group.some(({ id }) => own.has(id)));
  return new Set(groups.map(({ id }) => `group of next hops ${id}`));
}

/** The node's ways out that an uplink's interface, or a VLAN device on it, is one of: the last ones must not all go. */
function waysOutOf({ uplink }: NetworkOnNode, { uplinks }: NodePlan, { links, routes }: NodeSnapshot): Ties {
  const device = uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName;
  const own = new Set(
    links.filter(({ name, lowerDevice }) => name === device || lowerDevice === device).map(({ name }) => name),
  );
  const defaults = routes.filter(
    ({ table, destination, nextHops }) =>
      table === MAIN_TABLE &&
      (destination === '0.0.0.0/0' || destination === '::/0') &&
      nextHops.some((hop) => own.has(hop.device ?? '')),
  );
  return new Set(defaults.map(({ family }) => `ways out of IPv${family}`));
}

/** The addresses that an uplink's interface bears, or that routes out of it bear as their source: one may have what the other one needs. */
function sourcesOf({ uplink }: NetworkOnNode, { uplinks }: NodePlan, { links, routes }: NodeSnapshot): Ties {
  const device = uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName;
  const borne = links.filter(({ name }) => name === device).flatMap(({ addresses }) => addresses);
  const used = routes
    .filter(({ nextHops }) => nextHops.some((hop) => hop.device === device))
    .flatMap(({ preferredSource }) => preferredSource ?? []);
  return new Set([...borne.map(({ address }) => address), ...used].map((address) => `address ${address}`));
}

function bystanders(plan: NodePlan, network: string, node: NodeSnapshot): readonly NetworkOnNode[] {
  const allTiesOf = (row: NetworkOnNode) => [
    ...tiesOf(row),
    ...groupsOf(row, plan, node),
    ...waysOutOf(row, plan, node),
    ...sourcesOf(row, plan, node),
  ];
  const ties = new Set(plan.networks.filter((row) => row.network === network).flatMap(allTiesOf));
  // An uplink's bridge ties together all that are on it, also where one network's MTU is what keeps the bridge from being used.
  const bridges = plan.uplinks
    .filter(({ uplink }) => ties.has(`uplink ${uplink}`))
    .flatMap(({ facts }) => (facts?.bridge === undefined ? [] : [`bridge ${facts.bridge}`]));
  const all = new Set([...ties, ...bridges]);
  return plan.networks.filter((row) => row.network !== network && !allTiesOf(row).some((tie) => all.has(tie)));
}

/** Law 4: taking one network away leaves the decisions about all bystanders as they were. */
export function checkIsolated({ cluster, nodes, settings }: Case): void {
  for (const node of nodes) {
    const plan = planNode(cluster, node, settings);
    for (const { metadata } of cluster.clusterUserDefinedNetworks) {
      const without = {
        ...cluster,
        clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.filter(
          (other) => other.metadata.name !== metadata.name,
        ),
      };
      const names = new Set(bystanders(plan, metadata.name, node).map((row) => `${row.network} on ${row.uplink}`));
      const rows = (ofPlan: NodePlan) => ofPlan.networks.filter((row) => names.has(`${row.network} on ${row.uplink}`));
      const alone = new Set(bystanders(plan, metadata.name, node).map((row) => row.network));
      const planWithout = planNode(without, node, settings);
      // What a bystander needs it may share with a network that is none: who else needs it is not its matter.
      const operations = (ofPlan: NodePlan) =>
        diffNode(ofPlan, node).flatMap((operation) => {
          const networks = operation.networks.filter((name) => alone.has(name));
          return networks.length === 0 ? [] : [{ ...operation, networks }];
        });
      demandSame(
        law,
        `operations on ${node.nodeName} with and without network ${metadata.name}`,
        operations(plan),
        operations(planWithout),
      );
      demandSame(
        law,
        `decisions on ${node.nodeName} with and without network ${metadata.name}`,
        rows(plan),
        rows(planWithout),
      );
    }
  }
}
