import { expect } from 'chai';
import { isOwnVrf } from '../../../../../src/domain/entities/kernel/vrf.ts';
import { emptyLedger } from '../../../../../src/domain/snapshot/ledger.ts';
import { isShortened, signedName, vrfSignature } from '../../../../../src/domain/network/names/vrf-signature.ts';
import { completeLink } from '../../../../../src/testing/brief-node.ts';

/** A network's name of some bytes. */
const named = (length: number, letter = 'a') => `cluster_udn_${letter.repeat(length - 'cluster_udn_'.length)}`;

describe('the signature of a VRF', () => {
  it('is the whole name if that fits in 255 bytes', () => {
    for (const name of ['cluster_udn_blue', named(243), 'cluster_udn_0123456789abcdef']) {
      expect(vrfSignature(name)).to.equal(`ovn-uplinks:${name}`);
      expect(signedName(vrfSignature(name))).to.equal(name);
      expect(isShortened(name), name).to.be.false;
    }
  });

  it('is the beginning of a longer name and a hash', () => {
    expect(vrfSignature(named(244))).to.equal(`ovn-uplinks:cluster_udn_${'a'.repeat(214)}_6d25700da1aeb7a0`);
  });

  it('fits, and is unique to a network', () => {
    const names = [244, 245, 264, 265].flatMap((length) => ['a', 'b'].map((letter) => named(length, letter)));
    const signatures = names.map(vrfSignature);
    expect(new Set(signatures).size).to.equal(names.length);
    for (const signature of signatures) {
      expect(Buffer.byteLength(signature)).to.equal(255);
      expect(isShortened(signedName(signature))).to.be.true;
    }
  });

  it('fits if characters take several bytes', () => {
    for (const odd of ['', 'x', 'xx', 'xxx']) {
      const signature = vrfSignature(odd + '😀'.repeat(70));
      expect(Buffer.byteLength(signature)).to.be.within(252, 255);
      expect(signature).to.match(/^ovn-uplinks:x*(😀)+_[0-9a-f]{16}$/u);
      expect(isShortened(signedName(signature))).to.be.true;
    }
  });

  it('is the same again for its own text', () => {
    for (const name of ['cluster_udn_blue', named(250)]) {
      expect(vrfSignature(signedName(vrfSignature(name)))).to.equal(vrfSignature(name));
    }
  });

  it('makes the VRF managed', () => {
    const link = completeLink({ name: 'mp7-udn-vrf', kind: 'vrf', alias: vrfSignature(named(265)) }, 0);
    expect(isOwnVrf(link, emptyLedger)).to.be.true;
  });
});
