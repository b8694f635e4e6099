import type { NodeView } from '../snapshot/node-view.ts';
import type { NetworkVrf } from '../routing-domain/network-vrf.ts';
import type { NetworkDatapath } from './network-datapath.ts';
import type { Addressing } from './addressing.ts';

/** What the desired state of one network is made from. */
export interface DataplaneInput {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly networkName: string;
  readonly networkId: number;
  /** Name of the Uplink that carries it. */
  readonly uplink: string;
  readonly families: readonly (4 | 6)[];
  /** MTU in bytes of the network. */
  readonly mtu: number;
  readonly vrf: NetworkVrf;
  /** The uplink's interface on the host. */
  readonly device: string;
  /** The bridge behind it. */
  readonly bridge: string;
  /** Next routers of the uplink, best first. */
  readonly defaultGateways: readonly string[];
  readonly node: NodeView;
  /** What its packets need; absent where that is not programmed. */
  readonly datapath?: NetworkDatapath;
  readonly addressing: Addressing;
}
