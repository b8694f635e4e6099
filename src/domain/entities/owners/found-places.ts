/**
 * Where parts of networks are on a node by what the node itself says: signatures of VRFs, the ledger, external_ids of ports and of Open vSwitch, rows of OVN. It
 * holds for networks that no object describes any more, too.
 */
import { isManagementPortIn } from '../../network/names/numbers.ts';
import { managementPort } from '../switch/management-port.ts';
import { ownOf } from '../entity-kinds.ts';
import { vrf } from '../kernel/vrf.ts';
import { signedName, vrfSignature } from '../../network/names/vrf-signature.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { NetworkPart } from '../../network/part.ts';
import { localnetNetwork } from '../../node-model/switch/patch-ports.ts';
import { portWord } from '../../datapath/openflow/port-word.ts';
import { ownMappings } from '../../snapshot/bridge-mappings.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { patchPortName } from '../../snapshot/patch-ports.ts';
import { nowhere, type OwnerPlaces } from './places.ts';

/** A VRF is used by all parts of its network. */
function vrfOf(networkName: string, name: string, table: number | undefined): readonly OwnerPlaces[] {
  const places = { ...nowhere, networkName, vrfs: [name], tables: table === undefined ? [] : [table] };
  return [
    { ...places, part: 'network' },
    { ...places, part: 'uplink' },
  ];
}

/** The patch ports of localnet ports that are managed. */
const patchPorts = lazyByObject((northbound: NodeSnapshot['northbound']): readonly OwnerPlaces[] =>
  northbound.flatMap((row) =>
    row.network === undefined || localnetNetwork(row) === undefined
      ? []
      : [{ ...nowhere, networkName: row.network, part: 'uplink', patchPorts: [portWord(patchPortName(row.name))] }],
  ),
);

/**
 * The places of networks on a node, several entries for each. Where the name of a network is too long for the signature of its VRF, it is the shortened one
 * there (`signedName`).
 */
export const foundPlaces = lazyByObject((node: NodeSnapshot): readonly OwnerPlaces[] => {
  const { ledger, switchExternalIds } = node;
  return [
    ...ownOf(vrf, node).flatMap(({ name, alias, table }) => vrfOf(signedName(alias), name, table)),
    ...ledger.entries.flatMap((entry): readonly OwnerPlaces[] => {
      if (entry.kind === 'unsigned-vrf') return vrfOf(entry.network, entry.name, undefined);
      if (entry.kind !== 'membership') return [];
      const { network: networkName, device, vrf, table } = entry;
      const part = isManagementPortIn(table, device) ? 'network' : 'uplink';
      return [{ ...nowhere, networkName, part, vrfs: [vrf], tables: [table], devices: [device] }];
    }),
    ...ownOf(managementPort, node).map(
      ({ network: networkName = '', device }) =>
        ({ ...nowhere, networkName, part: 'network', devices: [device] }) as const,
    ),
    ...[...ownMappings(switchExternalIds)].map(
      ([networkName, bridge]) => ({ ...nowhere, networkName, part: 'uplink', bridges: [bridge] }) as const,
    ),
    ...patchPorts(node.northbound),
  ].filter(({ networkName }) => networkName !== '');
});

/** The places of a part of a network by what a node shows. */
export function foundPlacesOf(networkName: string, part: NetworkPart, node: NodeSnapshot): readonly OwnerPlaces[] {
  const names = [networkName, signedName(vrfSignature(networkName))];
  return foundPlaces(node).filter((places) => places.part === part && names.includes(places.networkName));
}
