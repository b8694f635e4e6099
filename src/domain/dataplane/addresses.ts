import type { AddressEntity } from '../entities/kernel/address.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/**
 * Outside the default routing domain the host uses the services of the network from the VRF, so its masquerade addresses are on the VRF. No other
 * device has them: duplicate address detection would only delay them.
 */
export function wantedAddresses({ families, addressing, vrf }: DataplaneInput): readonly AddressEntity[] {
  if (!vrf.enslaves) return [];
  return families.flatMap((family) =>
    addressing[family].hostAddresses.map((address) => ({
      kind: 'address',
      device: vrf.name,
      address: {
        address,
        prefixLength: family === 4 ? 32 : 128,
        scope: 'global',
        flags: family === 6 ? ['nodad'] : [],
      },
    })),
  );
}
