import { expect } from 'chai';
import { mtu } from '../../../../src/domain/discovery/mtu.ts';
import { completeLink, discoveryInput } from './discovery-input.ts';

describe('the MTU of the uplink', () => {
  const ways: readonly (readonly [host: number, physical: number, required: number, narrowest: string | undefined])[] =
    [
      [1500, 1500, 1500, undefined],
      [1500, 9000, 1500, undefined],
      [9000, 1500, 1500, undefined],
      [1499, 9000, 1500, 'br-blue 1499'],
      [9000, 1499, 1500, 'eth1 1499'],
      [1300, 1400, 1500, 'br-blue 1300'],
      [1400, 1300, 1500, 'eth1 1300'],
      [1400, 1400, 1500, 'br-blue 1400'],
    ];
  for (const [host, physical, bytes, narrowest] of ways) {
    const verdict = narrowest === undefined ? 'wide enough' : `too narrow at ${narrowest}`;
    it(`of ${host} bytes over a physical port of ${physical} is ${verdict} for ${bytes}`, () => {
      const outcome = mtu.run(discoveryInput({}, { requiredMtu: { bytes } }), {
        link: completeLink({ mtu: host }),
        physicalPort: 'eth1',
        physicalInterface: 'eth1',
        physicalMtu: physical,
      });
      const [device, width] = narrowest?.split(' ') ?? [];
      expect(outcome).to.deep.equal(
        narrowest === undefined
          ? { ok: true, found: {} }
          : { ok: false, failure: { reason: 'MTUInvalid', mtu: Number(width), device, required: bytes } },
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
