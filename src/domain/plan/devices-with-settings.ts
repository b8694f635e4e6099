/**
 * Of which devices does an agent read the kernel's settings?
 *
 * A node has a pair of devices for each pod, and reading their settings at each change would cost more with each of them.
 */
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import { deviceOfEntry } from '../snapshot/ledger.ts';
import { isManagementPortName } from '../network/names/management-port.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { stackedOn } from '../snapshot/node-view.ts';
import { withStacked } from '../snapshot/surroundings.ts';

/** The interfaces that Uplinks name, for whatever node: which of them it selects is decided later. */
const namedByUplinks = lazyByObject(
  (uplinks: ClusterSnapshot['uplinks']) =>
    new Set(uplinks.flatMap(({ spec }) => spec.nodeConfigs.map(({ hostInterfaceName }) => hostInterfaceName))),
);

const vrfsIn = lazyByObject(
  (links: NodeSnapshot['links']) => new Set(links.flatMap(({ kind, name }) => (kind === 'vrf' ? [name] : []))),
);

/**
 * The devices whose settings decide anything about a node: the interfaces of uplinks whatever their kind, management ports, VRFs and what is in them, what
 * the ledger has an entry about, and what is stacked on any of these, as enslaving affects it too. The plan is the same with the settings of all other
 * devices and without them (test/property/devices-with-settings.test.ts).
 */
export function devicesWithSettings(
  { uplinks }: Pick<ClusterSnapshot, 'uplinks'>,
  { links, ledger }: Pick<NodeSnapshot, 'links' | 'ledger'>,
): ReadonlySet<string> {
  const named = namedByUplinks(uplinks);
  const vrfs = vrfsIn(links);
  const inLedger = new Set(ledger.entries.map(deviceOfEntry));
  const names = links.flatMap(({ name, master }) => {
    const isOfVrf = vrfs.has(name) || (master !== undefined && vrfs.has(master));
    return isOfVrf || named.has(name) || isManagementPortName(name) || inLedger.has(name) ? [name] : [];
  });
  return withStacked(names, { stackedOn: (device) => stackedOn(device, { links }) });
}
