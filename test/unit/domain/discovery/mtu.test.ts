import { expect } from 'chai';
import { mtu } from '../../../../src/domain/discovery/mtu.ts';
import { completeLink, discoveryInput } from './discovery-input.ts';

describe('the MTU of the uplink', () => {
  const ways: readonly (readonly [host: number, physical: number, required: number, narrowest: string])[] = [
    [1500, 1500, 1500, 'br-blue 1500'],
    [1500, 9000, 1500, 'br-blue 1500'],
    [9000, 1500, 1500, 'eth1 1500'],
    [1499, 9000, 1500, 'br-blue 1499'],
    [9000, 1499, 1500, 'eth1 1499'],
    [1300, 1400, 1500, 'br-blue 1300'],
    [1400, 1300, 1500, 'eth1 1300'],
    [1400, 1400, 1500, 'br-blue 1400'],
  ];
  for (const [host, physical, bytes, place] of ways) {
    const [device, width] = place.split(' ');
    const narrowest = { device, mtu: Number(width) };
    const isWideEnough = narrowest.mtu >= bytes;
    const verdict = isWideEnough ? 'wide enough' : `too narrow at ${place}`;
    it(`of ${host} bytes over a physical port of ${physical} is ${verdict} for ${bytes}`, () => {
      const outcome = mtu.run(discoveryInput({}, { requiredMtu: { bytes } }), {
        link: completeLink({ mtu: host }),
        physicalPort: 'eth1',
        physicalInterface: 'eth1',
        physicalMtu: physical,
      });
      expect(outcome).to.deep.equal(
        isWideEnough
          ? { ok: true, found: { narrowest } }
          : { ok: false, failure: { reason: 'MTUInvalid', ...narrowest, required: bytes } },
      );
    });
  }

  it('is too small for the network with the largest one', () => {
    const input = discoveryInput({}, { requiredMtu: { bytes: 8900, network: 'red' } });
    const found = {
      link: completeLink({ mtu: 1500 }),
      physicalPort: 'eth1',
      physicalInterface: 'eth1',
      physicalMtu: 9000,
    };
    expect(mtu.run(input, found)).to.deep.equal({
      ok: false,
      failure: { reason: 'MTUInvalid', mtu: 1500, device: 'br-blue', required: 8900, network: 'red' },
    });
  });
});
