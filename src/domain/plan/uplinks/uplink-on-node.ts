/** Each uplink on one node: the interface that it selects there, and the result of discovery. */
import { isNamespaced } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { unsupportedUplinks } from '../../network/unsupported.ts';
import type { DiscoveryInput } from '../../discovery/discovery.ts';
import { discover } from '../../discovery/ready-checks.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { by } from '../../basics/names/ordering.ts';
import { selectOnNode } from '../../selection/node-config.ts';
import { isKnownType } from '../../selection/trusted-state.ts';
import { lastByReadPartsOfPair } from '../../snapshot/read-parts.ts';
import type { UplinkOnNode } from '../node-plan.ts';
import type { NodeInput } from '../node-input.ts';

/** The active networks that an uplink has to be wide enough for: a tenant's own is not ready if it is too wide, and the uplink stays ready for the others. */
function networksActiveOn({ view, object }: NodeInput, uplink: string): readonly Network[] {
  return view
    .networksOn(uplink)
    .filter(
      (network) =>
        !isNamespaced(network.key) &&
        unsupportedUplinks(network, view.settings) === undefined &&
        view.isActive(network, object.metadata.name),
    );
}

/** The network with the largest MTU decides, the first by name of several; without networks, the default network's MTU. */
function requiredMtu(networks: readonly Network[], { settings }: NodeInput): DiscoveryInput['requiredMtu'] {
  const [widest] = networks
    .map((network) => ({ bytes: network.mtu ?? settings.defaultNetworkMtu, network: network.metadata.name }))
    .sort((left, right) => right.bytes - left.bytes || by(({ network }: typeof left) => network)(left, right));
  return widest ?? { bytes: settings.defaultNetworkMtu };
}

function discoveryInput(scene: NodeInput, uplink: string, hostInterfaceName: string): DiscoveryInput {
  const { view, object, node, settings } = scene;
  return {
    node,
    hostInterfaceName,
    reservedBridges: scene.reservedBridges,
    masqueradeSubnets: settings.masqueradeSubnets,
    requiredMtu: requiredMtu(networksActiveOn(scene, uplink), scene),
    publishedAddresses: view.state(uplink, object.metadata.name)?.status?.ipAddresses ?? [],
  };
}

/** The last finding of each uplink of a cluster. */
const lastUplink = lastByReadPartsOfPair<UplinkOnNode | undefined>();

/** Equal uplinks as one object. */
const sameUplink = interned<UplinkOnNode>();

/**
 * An uplink on the node; undefined if it does not select the node, or does not exist. One that cannot be read may select it. The same object as long as it
 * is equal.
 */
export function uplinkOnNode(scene: NodeInput, name: string): UplinkOnNode | undefined {
  const { view, object, reservedBridges, settings, node: present } = scene;
  return lastUplink([view, name], [object, reservedBridges, settings], present, (node) => {
    const uplink = foundUplink({ ...scene, node }, name);
    return uplink && sameUplink(uplink);
  });
}

function foundUplink(scene: NodeInput, name: string): UplinkOnNode | undefined {
  const table = scene.view.table(name);
  const { uid } = table?.uplink.metadata ?? {};
  const stateNameTaken = scene.view.isStateNameTaken(name, scene.object.metadata.name);
  const identity = { uplink: name, ...(uid !== undefined && { uid }), stateNameTaken };
  if (table === undefined) {
    return scene.view.unreadable('uplinks').has(name) ? { ...identity, unusable: { cause: 'unreadable' } } : undefined;
  }
  const selection = selectOnNode(table, scene.object);
  switch (selection.kind) {
    case 'none':
      return undefined;
    case 'overlap':
      return { ...identity, unusable: { cause: 'overlap', hostInterfaceNames: selection.hostInterfaceNames } };
    case 'unclear':
      return { ...identity, unusable: { cause: 'unclear-selector', problem: selection.problem } };
    case 'selected': {
      const { type, hostInterfaceName } = selection.config;
      if (!isKnownType(type)) return { ...identity, hostInterfaceName, unusable: { cause: 'unknown-type', type } };
      const { facts, failure } = discover(discoveryInput(scene, name, hostInterfaceName));
      return { ...identity, hostInterfaceName, facts, ...(failure && { unusable: { cause: 'discovery', failure } }) };
    }
  }
}
