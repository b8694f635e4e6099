/**
 * The alias by which a VRF device is known as ours, and for whom it was made (docs/design/ownership.md, "Three rules").
 *
 * An alias has room for 255 bytes and a network's name can be longer than what is left of them: then the beginning of the name stands
 * there, and a hash of all of it behind an underscore, which names of ClusterUserDefinedNetworks do not have.
 */
import { ALIAS_BYTES, VRF_ALIAS_PREFIX } from '../conventions.ts';
import { utf8Length } from '../interface-name.ts';
import { HASH_DIGITS, stableHash } from '../stable-hash.ts';

const ROOM = ALIAS_BYTES - VRF_ALIAS_PREFIX.length;

/** Bytes of a character in UTF-8 at most. */
const CHARACTER_BYTES = 4;

const SHORTENED = new RegExp(`_[0-9a-f]{${HASH_DIGITS}}$`);

/** As many of a text's characters as have room in some bytes. */
function beginning(text: string, bytes: number): string {
  let room = bytes;
  let kept = '';
  for (const character of text) {
    room -= utf8Length(character);
    if (room < 0) break;
    kept += character;
  }
  return kept;
}

/** The alias of a VRF that is made for a network. That of what `signedName` makes of an alias is the same alias. */
export function vrfSignature(networkName: string): string {
  if (utf8Length(networkName) <= ROOM) return VRF_ALIAS_PREFIX + networkName;
  const room = ROOM - '_'.length - HASH_DIGITS;
  return `${VRF_ALIAS_PREFIX}${beginning(networkName, room)}_${stableHash(networkName)}`;
}

/** What an alias of ours says of the network: its name, or where that has no room, what stands for it. */
export function signedName(alias: string): string {
  return alias.slice(VRF_ALIAS_PREFIX.length);
}

/** Whether an alias has a shortened network name. */
export function isShortened(name: string): boolean {
  return SHORTENED.test(name) && utf8Length(name) > ROOM - CHARACTER_BYTES;
}
