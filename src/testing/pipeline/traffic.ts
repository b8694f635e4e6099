import type { NetworkKey } from '../../domain/network/key.ts';
import type { UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { ExposingBridge } from './bridge-model.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';

/**
 * How far a network is programmed: wholly; not at all, since it is held, so that its flows stay as they were; or in part, since the switch has
 * refused flows of it, or all of them while its patch port has no number.
 */
export type Programmed = 'wholly' | 'held' | 'refused' | 'without port';

/** The state of an uplink when networks of it that are held now were programmed. */
export type FormerUplink = Pick<UplinkInput, 'addresses' | 'macAddress' | 'vlan'>;

/** A bridge, and packets that come to it one after the other, in the words of ovs-ofctl(8). */
export interface Traffic {
  readonly bridge: ExposingBridge;
  readonly packets: readonly Match[];
  /** By the key of the network; absent for those that are wholly programmed. */
  readonly programmed: Readonly<Record<NetworkKey, Programmed>>;
  /** By the name of the uplink; absent for those that are as they were. */
  readonly former: Readonly<Record<string, FormerUplink>>;
}
