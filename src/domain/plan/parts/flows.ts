/** The flows of bridges, which the networks on a bridge share, with what they need on the host (docs/design/flows.md). */
import { bridgeEntities } from '../../dataplane/bridge-dataplane.ts';
import { fdbEntry } from '../../entities/switch/fdb-entry.ts';
import { flow } from '../../entities/switch/flow.ts';
import type { PartOfUplink } from './part.ts';

export const flows: PartOfUplink = {
  plan: ({ datapath, gatewayNeighbours = [] }) => (datapath === undefined ? [] : gatewayNeighbours),
  shared: (networks, { settings, node }) => bridgeEntities(networks, settings, node),
  reasons: { [flow.kind]: 'UplinkBridgeMappingFailed', [fdbEntry.kind]: 'UplinkBridgeMappingFailed' },
};
