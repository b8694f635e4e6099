/** Why the VRF of a network is not possible, or does not exist. */
export type VrfFailure =
  | { readonly reason: 'UplinkVRFAttachmentFailed'; readonly cause: 'name-refused' | 'missing'; readonly vrf: string }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-device';
      /** Whether it would be the network's own VRF, which is created if possible, or one that RouteAdvertisements name. */
      readonly wanted: 'own' | 'named';
      readonly vrf: string;
      /** Kind of the device with the name; absent for one of the machine's own. */
      readonly kind?: string;
      /** The device's own name, if the name is one of its alternative names. */
      readonly alternativeNameOf?: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-table';
      readonly vrf: string;
      readonly table: number | undefined;
      readonly expected: number;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** A managed VRF has to be recreated with another table, and entities of other programs would be lost with it. */
      readonly cause: 'occupied';
      readonly vrf: string;
      /** The entity and its place, as a clause: "br-two is in it". */
      readonly occupant: string;
      readonly expected: number;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** An unmanaged VRF has the table that the network's own one needs. */
      readonly cause: 'table-taken';
      readonly vrf: string;
      readonly table: number;
      readonly other: string;
    };
