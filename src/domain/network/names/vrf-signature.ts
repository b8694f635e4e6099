/**
 * The link alias that marks a VRF device as managed and names its network (docs/design/ownership.md, "Three rules").
 *
 * An alias has at most 255 bytes. A network name that does not fit is shortened to its beginning, an underscore, which names of
 * ClusterUserDefinedNetworks do not have, and a hash of the whole name.
 */
import { ALIAS_BYTES, VRF_ALIAS_PREFIX } from '../../basics/conventions.ts';
import { utf8Length } from '../../basics/names/interface-name.ts';
import { HASH_DIGITS, stableHash } from '../../basics/names/stable-hash.ts';

const ROOM = ALIAS_BYTES - VRF_ALIAS_PREFIX.length;

/** Maximum number of bytes of a character in UTF-8. */
const CHARACTER_BYTES = 4;

const SHORTENED = new RegExp(`_[0-9a-f]{${HASH_DIGITS}}$`);

/** The longest beginning of a text that fits into a number of bytes. */
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

/** The alias of the VRF of a network; the same for a name and for the result of `signedName`. */
export function vrfSignature(networkName: string): string {
  if (utf8Length(networkName) <= ROOM) return VRF_ALIAS_PREFIX + networkName;
  const room = ROOM - '_'.length - HASH_DIGITS;
  return `${VRF_ALIAS_PREFIX}${beginning(networkName, room)}_${stableHash(networkName)}`;
}

/** The network in a managed alias: its name, possibly shortened. */
export function signedName(alias: string): string {
  return alias.slice(VRF_ALIAS_PREFIX.length);
}

/** Whether an alias has a shortened network name. */
export function isShortened(name: string): boolean {
  return SHORTENED.test(name) && utf8Length(name) > ROOM - CHARACTER_BYTES;
}
