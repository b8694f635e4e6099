import type { Check, FoundInterface, FoundPhysicalPort } from './discovery.ts';

/** The MTU of host interface and physical port suffices for every network that uses them. */
export const mtu: Check<FoundInterface & FoundPhysicalPort, object> = {
  name: 'MTU',
  run: ({ requiredMtu: { bytes, network } }, { link, physicalInterface, physicalMtu }) => {
    const [device, narrowest] = physicalMtu < link.mtu ? [physicalInterface, physicalMtu] : [link.name, link.mtu];
    if (narrowest >= bytes) return { ok: true, found: {} };
    const failure = { reason: 'MTUInvalid', mtu: narrowest, device, required: bytes } as const;
    return { ok: false, failure: network === undefined ? failure : { ...failure, network } };
  },
};
