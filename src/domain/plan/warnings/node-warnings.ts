/** Warnings about one node and the objects that concern it. */
import type { Node } from '../../api/node.ts';
import { CHASSIS_KEY, ENCAPSULATION_ADDRESSES_KEY, TCP_IN_VRFS_SETTING } from '../../basics/conventions.ts';
import type { EffectiveAdvertisement } from '../../routing-domain/advertisement.ts';
import { effectiveOn } from '../../routing-domain/advertisement.ts';
import { keyInForce, keysOfOtherChassis } from '../../snapshot/controller-keys.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { tunnelAddressesReadFrom } from '../../snapshot/tunnel-addresses.ts';
import { nameSample } from '../../status/node-sample.ts';
import { unusableText } from '../../basics/addresses/tunnel-address.ts';
import { versionWarnings } from './minimum-versions.ts';
import type { NetworkOnNode, NodePlan } from '../node-plan.ts';
import { type ProgrammingInput, programmingWarnings } from './programming-warnings.ts';
import { gatewayConfigOf } from '../view/reserved-bridges.ts';
import type { Warning } from '../view/warning.ts';

/** RouteAdvertisements count even if they were not accepted or have no router; warn about that. */
function advertisementWarnings(
  { routeAdvertisements, frrConfigurations }: EffectiveAdvertisement,
  vrf: string | undefined,
): readonly Warning[] {
  const object = `RouteAdvertisements/${routeAdvertisements.metadata.name}`;
  const accepted = routeAdvertisements.status?.conditions?.find(({ type }) => type === 'Accepted');
  const warnings: Warning[] = [];
  if (accepted !== undefined && accepted.status !== 'True') {
    warnings.push({
      object,
      path: 'status.conditions',
      message: `is not accepted (${accepted.reason}), but still counts`,
    });
  }
  const routed = frrConfigurations.some(
    ({ spec }) => spec?.bgp?.routers?.some((router) => router.vrf === vrf) === true,
  );
  if (vrf !== undefined && !routed) {
    warnings.push({
      object,
      path: 'spec.targetVRF',
      message: `none of its FRRConfigurations has a router in VRF ${vrf}`,
    });
  }
  return warnings;
}

/** Sockets of the default VRF do not answer in another one unless a setting allows it (Linux, ip-sysctl, tcp_l3mdev_accept). */
function listeningSocketWarning(
  { nodeName, sysctls }: NodeSnapshot,
  networks: readonly NetworkOnNode[],
): readonly Warning[] {
  const setting = TCP_IN_VRFS_SETTING;
  if (sysctls[setting] !== '0' || !networks.some(({ vrf, held }) => vrf !== undefined && !held)) return [];
  const message = `${setting} is 0: sockets of the default VRF do not answer on interfaces that are enslaved to a VRF`;
  return [{ object: `Node/${nodeName}`, message, seenOnNode: true }];
}

/** An older version of OVN lacks tables or columns that gateway routers use. */
function olderNorthboundWarning(
  { nodeName, missingNorthboundColumns: missing = [] }: NodeSnapshot,
  { programmed }: NodePlan['dataplane'],
): readonly Warning[] {
  if (missing.length === 0 || programmed.every(({ datapath }) => datapath === undefined)) return [];
  const message = `OVN's Northbound database has no ${missing.join(', ')}: gateway routers are programmed without what needs that; install a newer version of OVN`;
  return [{ object: `Node/${nodeName}`, message, seenOnNode: true }];
}

/** Which keys count depends on the name of the chassis; that in Open vSwitch may not be the one that ovn-controller was started with. */
function otherChassisWarnings({ nodeName, switchExternalIds }: NodeSnapshot): readonly Warning[] {
  const keys = keysOfOtherChassis(switchExternalIds);
  if (keys.length === 0) return [];
  const { [CHASSIS_KEY]: chassis = 'not set' } = switchExternalIds;
  const message = `external_ids of Open vSwitch has ${nameSample(keys)}, and system-id is ${chassis}: if ovn-controller was started with another name (system-id-override, -n), what ovn-uplinks writes there has no effect; set system-id to that name`;
  return [{ object: `Node/${nodeName}`, message, seenOnNode: true }];
}

/** Other nodes, where there are any, reach no address of Open vSwitch that is none (ovn-controller(8), ovn-encap-ip). */
function tunnelAddressWarnings({ view, node, settings }: ProgrammingInput): readonly Warning[] {
  if (settings.providedNetworks === 'none' || !settings.ovn || view.nodes.all.length < 2) return [];
  return tunnelAddressesReadFrom(node).unusable.map((unusable) => ({
    object: `Node/${node.nodeName}`,
    message: `external_ids:${keyInForce(ENCAPSULATION_ADDRESSES_KEY, node.switchExternalIds)} of Open vSwitch: ${unusableText(unusable)}; it is not published, and other nodes do not use it`,
    seenOnNode: true,
  }));
}

/** The warnings about one node and the objects that concern it. */
export function nodeWarnings(object: Node, input: ProgrammingInput): readonly Warning[] {
  const { view, node, networks } = input;
  const gatewayConfig = gatewayConfigOf(object);
  const carried = new Map(networks.map((network) => [network.key, network]));
  return [
    ...(gatewayConfig.kind === 'broken'
      ? [
          {
            object: `Node/${object.metadata.name}`,
            path: 'metadata.annotations["k8s.ovn.org/l3-gateway-config"]',
            message: `is ignored: ${gatewayConfig.problem}`,
          },
        ]
      : []),
    ...view.networks.flatMap((network) => {
      const onNode = carried.get(network.key);
      if (onNode === undefined) return [];
      return effectiveOn(object, view.advertisements(network)).flatMap((advertisement) =>
        advertisementWarnings(advertisement, onNode.vrf),
      );
    }),
    ...listeningSocketWarning(node, networks),
    ...olderNorthboundWarning(node, input.dataplane),
    ...versionWarnings(node),
    ...otherChassisWarnings(node),
    ...tunnelAddressWarnings(input),
    ...programmingWarnings(input),
  ];
}
