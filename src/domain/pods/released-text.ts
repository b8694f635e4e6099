/** Released addresses as one text, which is stored with the switch that they were on: `10.20.1.3@1764000000 fd20::3@1764000000`. */
import { familyOf } from '../basics/addresses/ip-address.ts';
import { type ReleasedAddress, restingAddresses } from './pod-addresses.ts';

/** Reads the text; what is malformed is ignored. */
export function readReleased(text: string | undefined): readonly ReleasedAddress[] {
  return (text ?? '').split(' ').flatMap((word) => {
    const [, address = '', time = ''] = /^([0-9a-f.:]+)@([0-9]{1,12})$/.exec(word) ?? [];
    return familyOf(address) === undefined ? [] : [{ address, releasedAt: Number(time) }];
  });
}

/** The text of those that have not rested, and of others that are released now. */
export function releasedText(stored: readonly ReleasedAddress[], addresses: readonly string[], now: number): string {
  const others = restingAddresses(stored, now).filter(({ address }) => !addresses.includes(address));
  return [...others, ...addresses.map((address) => ({ address, releasedAt: now }))]
    .map(({ address, releasedAt }) => `${address}@${releasedAt}`)
    .join(' ');
}
