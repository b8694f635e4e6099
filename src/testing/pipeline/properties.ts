import { onlyAcceptedEnters, ownConnectionsFirst, sameWayBack } from './exposed-services.ts';
import { masqueradeInside } from './masquerade-addresses.ts';
import { neighboursResolved } from './neighbours.ts';
import { heldChangeNothing, othersChangeNothing } from './other-networks.ts';
import type { PipelineProperty } from './property.ts';
import { answersLeave, repliesReturn } from './replies.ts';
import { separateFlows } from './separate-flows.ts';
import { servicesInside } from './services.ts';
import { allowedSource, formerAddressesUnused } from './sources.ts';
import { tunnelsOfTheNode } from './tunnels.ts';
import { repliesOfOwnVlan, vlanOfUplink } from './vlans.ts';

/** Properties of the flows of every uplink bridge. */
export const pipelineProperties: readonly PipelineProperty[] = [
  separateFlows,
  allowedSource,
  formerAddressesUnused,
  masqueradeInside,
  servicesInside,
  tunnelsOfTheNode,
  vlanOfUplink,
  repliesReturn,
  repliesOfOwnVlan,
  answersLeave,
  neighboursResolved,
  othersChangeNothing,
  heldChangeNothing,
  onlyAcceptedEnters,
  sameWayBack,
  ownConnectionsFirst,
];
