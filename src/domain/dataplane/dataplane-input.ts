import type { NetworkKey } from '../network/key.ts';
import type { NeighbourEntity } from '../entities/kernel/neighbour.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { NetworkVrf } from '../routing-domain/network-vrf.ts';
import type { NetworkDatapath } from './network-datapath.ts';
import type { Addressing } from './addressing.ts';

/** The input for the desired state of one network. */
export interface DataplaneInput {
  readonly network: NetworkKey;
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
  /** The bridge of the interface. */
  readonly bridge: string;
  /** Default gateways of the uplink, best first. */
  readonly defaultGateways: readonly string[];
  readonly node: NodeView;
  /** Absent where flows and gateway routers are not programmed. */
  readonly datapath?: NetworkDatapath;
  /** Entries by which the kernel keeps its gateways resolved, for its datapath. */
  readonly gatewayNeighbours?: readonly NeighbourEntity[];
  readonly addressing: Addressing;
}
