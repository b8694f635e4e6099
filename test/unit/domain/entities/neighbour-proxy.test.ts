import { expect } from 'chai';
import { displacedText } from '../../../../src/domain/entities/displaceable.ts';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import {
  neighbourProxy as neighbourProxyKind,
  neighbourProxyEntity,
} from '../../../../src/domain/entities/kernel/neighbour-proxy.ts';
import { emptyLedger, type NeighbourProxy } from '../../../../src/domain/index.ts';
import { ipWords, putBackWords } from './ip-words.ts';

describe('a proxy entry in the syntax of ip', () => {
  const proxy = { device: 'br-blue', address: 'fe80::1' };

  const whole: NeighbourProxy = { ...proxy, router: true, protocol: 'static' };

  it('is added with all of its attributes', () => {
    const words = (each: NeighbourProxy) => putBackWords(neighbourProxyEntity(each), 'neighbour', 'add', 'proxy');
    expect(words(proxy)).to.equal('fe80::1 dev br-blue');
    expect(words(whole)).to.equal('fe80::1 dev br-blue router protocol static');
  });

  it('is deleted by address and device', () => {
    const entity = neighbourProxyEntity(whole);
    expect(ipWords('remove', entity, 'neighbour', 'delete', 'proxy')).to.equal('fe80::1 dev br-blue');
    expect(displacedText(entity)).to.equal('proxy entry for neighbour fe80::1 on br-blue');
  });

  it('serves as another one exactly if both or none have the router flag', () => {
    const [host, router] = [neighbourProxyEntity(proxy), neighbourProxyEntity(whole)];
    expect(neighbourProxyKind.satisfies(host, router, emptyLedger)).to.be.false;
    expect(neighbourProxyKind.satisfies(router, router, emptyLedger)).to.be.true;
  });

  it('is never managed', () => {
    expect(isOurs(neighbourProxyEntity({ ...proxy, protocol: '94' }), { ledger: emptyLedger })).to.be.false;
  });
});
