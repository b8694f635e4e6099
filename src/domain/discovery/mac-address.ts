import type { Check, FoundInterface, FoundMacAddress } from './discovery.ts';

const ethernetAddress = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** Whether frames can be sent to the address: no group bit (IEEE 802), not all zeros. */
function isUnicast(macAddress: string): boolean {
  return (
    ethernetAddress.test(macAddress) &&
    (Number.parseInt(macAddress.slice(0, 2), 16) & 1) === 0 &&
    !/^(00:){5}00$/.test(macAddress)
  );
}

/** The interface has a MAC address that OVN's gateway router can use. */
export const macAddress: Check<FoundInterface, FoundMacAddress> = {
  name: 'MAC address',
  run: (_input, { link }) => {
    const address = link.type === 'ether' ? link.macAddress?.toLowerCase() : undefined;
    if (address !== undefined && isUnicast(address)) return { ok: true, found: { macAddress: address } };
    return {
      ok: false,
      failure: {
        reason: 'GatewayInfoUnavailable',
        cause: 'no-mac-address',
        ...(address !== undefined && { macAddress: address }),
      },
    };
  },
};
