/**
 * Needs of networks that ovn-uplinks provides: claims of ids, and a node where no other program provides them too.
 */
import fc from 'fast-check';
import { nodeReportName, reportData } from '../../domain/network/allocation/node-report.ts';
import type { ConfigMap } from '../../domain/api/config-map.ts';
import { CHASSIS_KEY, ID_CLAIMS_NAME, INTEGRATION_BRIDGE } from '../../domain/basics/conventions.ts';
import { isManagementPortName } from '../../domain/network/names/management-port.ts';
import { withoutLink } from '../../domain/node-model/link.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { defaultSettings, type NodeSettings } from '../../domain/snapshot/settings.ts';
import { completeBridge } from '../brief-node.ts';
import { networkNames, nodeNames, someOf } from './names.ts';

/** A tenant's own network, in the namespace of a ClusterUserDefinedNetwork, with packets that few devices are wide enough for or without; mostly there is none. */
export const userDefinedNetworks: fc.Arbitrary<ClusterSnapshot['userDefinedNetworks']> = fc
  .nat({ max: 7 })
  .map((number) =>
    number < 5
      ? []
      : [
          {
            apiVersion: 'k8s.ovn.org/v1',
            kind: 'UserDefinedNetwork',
            metadata: { namespace: 'blue', name: 'own' },
            spec: {
              topology: 'Layer3',
              layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }], ...(number === 7 && { mtu: 8900 }) },
            },
          },
        ],
  );

/** Id of that network, and its claim. */
const OWN_ID = 20;
const OWN_CLAIM = { [`network-${OWN_ID}`]: 'blue_own' };

/** Mostly all of a pool. */
function most<const Pool extends readonly string[]>(pool: Pool): fc.Arbitrary<readonly Pool[number][]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: fc.constant(pool) },
    { weight: 1, arbitrary: someOf(pool) },
  );
}

function configMap(name: string, data: Readonly<Record<string, string>>): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: defaultSettings.namespace, name }, data };
}

/** The claims of ids: the place of a name in its pool decides which; and the reports of nodes, which have not all reported all of them. */
export const configMaps: fc.Arbitrary<ClusterSnapshot['configMaps']> = fc
  .record({
    networks: most(networkNames),
    nodes: most(nodeNames),
    reporting: most(nodeNames),
    reported: most(networkNames),
  })
  .map(({ networks, nodes, reporting, reported }) => [
    configMap(
      ID_CLAIMS_NAME,
      Object.fromEntries<string>([
        ...networks.map((name) => [`network-${networkNames.indexOf(name) + 1}`, `cluster_udn_${name}`] as const),
        ...nodes.map((name) => [`node-${nodeNames.indexOf(name) + 2}`, name] as const),
        ...Object.entries(OWN_CLAIM),
      ]),
    ),
    ...reporting.map((name) => {
      const ids = [...reported.map((network) => networkNames.indexOf(network) + 1), OWN_ID];
      return configMap(nodeReportName(name), reportData({ name, uid: '' }, ids, []));
    }),
  ]);

/** Nodes of which one in eight has rows of another program that provides the same networks: there, ovn-uplinks cannot. */
export const othersToo: fc.Arbitrary<boolean> = fc.nat({ max: 7 }).map((number) => number === 7);

/** The bridge that ovn-controller adds (ovn-controller(8), ovn-bridge). */
const integrationBridge = completeBridge({ name: INTEGRATION_BRIDGE });

/** The node with a bridge for management ports, and without the rows and ports of another program that provides networks, unless they are left in the way. */
export function withoutOtherProvider(
  node: NodeSnapshot,
  { providedNetworks, egress }: NodeSettings,
  areLeft: boolean,
): NodeSnapshot {
  if (providedNetworks === 'none' || areLeft) return node;
  const isOfProvider = ({ name, network }: NodeSnapshot['northbound'][number]) =>
    network === undefined && /^cluster_udn_.*_(?:ovn_cluster_router|join|ovn_layer2_switch|transit_router)$/.test(name);
  const ports = node.links.filter(({ name }) => isManagementPortName(name));
  return {
    ...ports.reduce(withoutLink, node),
    northbound: node.northbound.filter((row) => !isOfProvider(row)),
    bridges: [...node.bridges, integrationBridge],
    // Without a chassis, no network leaves by the node.
    ...(egress === 'node' && { switchExternalIds: { ...node.switchExternalIds, [CHASSIS_KEY]: 'chassis-of-node' } }),
  };
}
