import type { Check, FoundInterface, FoundPhysicalPort, FoundWidth } from './discovery.ts';

/** The MTU of host interface and physical port suffices for every network that uses them. */
export const mtu: Check<FoundInterface & FoundPhysicalPort, FoundWidth> = {
  name: 'MTU',
  run: ({ requiredMtu: { bytes, network } }, { link, physicalInterface, physicalMtu }) => {
    const narrowest =
      physicalMtu < link.mtu ? { device: physicalInterface, mtu: physicalMtu } : { device: link.name, mtu: link.mtu };
    if (narrowest.mtu >= bytes) return { ok: true, found: { narrowest } };
    const failure = { reason: 'MTUInvalid', ...narrowest, required: bytes } as const;
    return { ok: false, failure: network === undefined ? failure : { ...failure, network } };
  },
};
