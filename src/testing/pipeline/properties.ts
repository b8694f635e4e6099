import { masqueradeInside } from './masquerade-addresses.ts';
import { heldChangeNothing, othersChangeNothing } from './other-networks.ts';
import type { PipelineProperty } from './property.ts';
import { answersLeave, repliesReturn } from './replies.ts';
import { separateFlows } from './separate-flows.ts';
import { allowedSource, formerAddressesUnused } from './sources.ts';
import { vlanOfUplink } from './vlans.ts';

/** What holds for the flows of every uplink bridge. */
export const pipelineProperties: readonly PipelineProperty[] = [
  separateFlows,
  allowedSource,
  formerAddressesUnused,
  masqueradeInside,
  vlanOfUplink,
  repliesReturn,
  answersLeave,
  othersChangeNothing,
  heldChangeNothing,
];
