import { expect } from 'chai';
import { OpenVSwitch } from './open-vswitch.ts';

describe('an Open vSwitch of a test', () => {
  for (const [userland, version] of [
    ['host', '3.1.'],
    ['debian-13', '3.5.'],
  ] as const) {
    it(`has the version of ${userland}`, async () => {
      const openVSwitch = await OpenVSwitch.start(userland);
      try {
        expect(openVSwitch.control('version')).to.include(`(Open vSwitch) ${version}`);
      } finally {
        await openVSwitch.stop();
      }
    });
  }
});
