/**
 * The external_ids that ovn-controller reads. A key with the name of its chassis, as `ovn-bridge-mappings-CHASSIS`, overrides the one without
 * (ovn-controller(8), Configuration; tried on 23.03 and 25.03: test `chassis-settings`).
 */
import {
  BRIDGE_MAPPINGS_KEY,
  CHASSIS_KEY,
  ENCAPSULATION_ADDRESSES_KEY,
  INTERCONNECTION_KEY,
} from '../basics/conventions.ts';

/** external_ids of the Open_vSwitch row. */
export type ControllerIds = Readonly<Record<string, string | undefined>>;

/** The key of the node's own chassis for a setting; undefined while the node has no chassis. */
export function chassisKeyOf(key: string, { [CHASSIS_KEY]: chassis }: ControllerIds): string | undefined {
  return chassis === undefined || chassis === '' ? undefined : `${key}-${chassis}`;
}

/** The key that counts for a setting. */
export function keyInForce(key: string, externalIds: ControllerIds): string {
  const ofChassis = chassisKeyOf(key, externalIds);
  return ofChassis !== undefined && externalIds[ofChassis] !== undefined ? ofChassis : key;
}

/** The value that counts for a setting; undefined where there is none. */
export function valueInForce(key: string, externalIds: ControllerIds): string | undefined {
  return externalIds[keyInForce(key, externalIds)];
}

/** Whether the text of a setting that is off by default switches it on: `true`, in any case (smap_get_bool in lib/smap.c of Open vSwitch). */
export function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

/** The key that counts for such a setting: that of the chassis only with `true` or `false`, in any case (tried on 23.03 and 25.03: test `chassis-settings`). */
export function switchKeyInForce(key: string, externalIds: ControllerIds): string {
  const ofChassis = keyInForce(key, externalIds);
  return isTrue(externalIds[ofChassis]) || externalIds[ofChassis]?.toLowerCase() === 'false' ? ofChassis : key;
}

/** Whether such a setting is on. */
export function isSwitchedOn(key: string, externalIds: ControllerIds): boolean {
  return isTrue(externalIds[switchKeyInForce(key, externalIds)]);
}

/** The settings whose keys of other chassis are looked for. */
const settings = [BRIDGE_MAPPINGS_KEY, ENCAPSULATION_ADDRESSES_KEY, INTERCONNECTION_KEY];

/** Settings that only begin like one of these (ovn-controller(8) of 25.03, ovn-encap-ip-default). */
const otherSettings: ReadonlySet<string> = new Set(['ovn-encap-ip-default']);

/** Keys of chassis that the node is not, by their names: an ovn-controller may run with another name than system-id. */
export function keysOfOtherChassis(externalIds: ControllerIds): readonly string[] {
  const own = new Set(settings.map((key) => chassisKeyOf(key, externalIds)));
  return Object.keys(externalIds)
    .filter((key) => settings.some((setting) => key.startsWith(`${setting}-`)))
    .filter((key) => !own.has(key) && !otherSettings.has(key))
    .sort();
}
