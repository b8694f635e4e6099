import type { Address } from '../snapshot/node-snapshot.ts';

/**
 * An address with its lifetimes: one that expires is `dynamic`, one past its preferred time `deprecated`. A permanent one has
 * no preferred time in IPv4 (net/ipv4/devinet.c, set_ifa_lifetime and inet_fill_ifaddr).
 */
export function withLifetimes(address: Address, { address: text, validSeconds, preferredSeconds }: Address): Address {
  const { validSeconds: _valid, preferredSeconds: _preferred, ...rest } = address;
  const flags = address.flags.filter((flag) => flag !== 'dynamic' && flag !== 'deprecated');
  const ends = validSeconds !== undefined;
  const hasPreferredTime = preferredSeconds !== undefined && (ends || text.includes(':'));
  return {
    ...rest,
    flags: [...flags, ...(ends ? ['dynamic'] : []), ...(preferredSeconds === 0 ? ['deprecated'] : [])].sort(),
    ...(ends && { validSeconds }),
    ...(hasPreferredTime && { preferredSeconds }),
  };
}

/** Why the kernel refuses the lifetimes; absent where it accepts them. */
export function lifetimeProblem({
  validSeconds = Infinity,
  preferredSeconds = validSeconds,
}: Address): string | undefined {
  return validSeconds <= 0 || preferredSeconds > validSeconds ? 'Invalid lifetime' : undefined;
}
