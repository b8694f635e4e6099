import { expect } from 'chai';
import { ExposedClaims } from '../../../../src/domain/services/exposed-claims.ts';
import type { OutsidePort } from '../../../../src/domain/services/exposed-ports.ts';
import { service } from '../brief-services.ts';

const port = (number: number, address = '192.0.2.50'): OutsidePort => ({
  family: 4,
  protocol: 'tcp',
  address,
  port: number,
  isOfService: true,
  servicePort: { port: number },
});

const born = (name: string, creationTimestamp: string, uid = name) => service(name, 'blue', { creationTimestamp, uid });

const [older, younger] = [born('older', '2026-01-01T00:00:00Z'), born('younger', '2026-01-02T00:00:00Z')];

describe('a port that several Services ask for', () => {
  let claims: ExposedClaims;
  beforeEach(() => {
    claims = new ExposedClaims();
    claims.set('a/younger', younger, 'br-blue', [port(80)]);
  });

  it('is that of the only one', () => {
    expect(claims.holder('br-blue', port(80))).to.equal('a/younger');
    expect(claims.holder('br-blue', port(81))).to.equal(undefined);
  });

  it('is that of the oldest, which takes it from one that was there before', () => {
    expect([...claims.set('b/older', older, 'br-blue', [port(80)])]).to.deep.equal(['a/younger']);
    expect(claims.holder('br-blue', port(80))).to.equal('b/older');
  });

  it('is that of the one with the lower uid where they are of the same age', () => {
    const [one, other] = [born('x', '2026-01-02T00:00:00Z', '1'), born('y', '2026-01-02T00:00:00Z', '2')];
    claims.set('a/younger', undefined, '', []);
    claims.set('c/other', other, 'br-blue', [port(80)]);
    claims.set('d/one', one, 'br-blue', [port(80)]);
    expect(claims.holder('br-blue', port(80))).to.equal('d/one');
  });

  it('is both’s on links of their own, with ports of their own, or at addresses of their own', () => {
    for (const [link, asked] of [
      ['br-red', port(80)],
      ['br-blue', port(443)],
      ['br-blue', port(80, '192.0.2.51')],
    ] as const) {
      expect([...claims.set('b/older', older, link, [asked])]).to.deep.equal([]);
      expect(claims.holder(link, asked)).to.equal('b/older');
      expect(claims.holder('br-blue', port(80))).to.equal('a/younger');
    }
  });

  it('is the other’s once the oldest goes, or asks for another one', () => {
    claims.set('b/older', older, 'br-blue', [port(80)]);
    expect([...claims.set('b/older', older, 'br-blue', [port(81)])]).to.deep.equal(['a/younger']);
    expect(claims.holder('br-blue', port(80))).to.equal('a/younger');
    claims.set('b/older', older, 'br-blue', [port(80)]);
    expect([...claims.set('b/older', undefined, '', [])]).to.deep.equal(['a/younger']);
    expect(claims.holder('br-blue', port(80))).to.equal('a/younger');
  });

  it('concerns nobody as long as nothing changes', () => {
    claims.set('b/older', older, 'br-blue', [port(80)]);
    expect([...claims.set('b/older', older, 'br-blue', [port(80)])]).to.deep.equal([]);
  });

  it('is judged again where one is created again, and is the younger one', () => {
    claims.set('b/older', older, 'br-blue', [port(80)]);
    const again = born('older', '2026-01-03T00:00:00Z');
    expect([...claims.set('b/older', again, 'br-blue', [port(80)])]).to.deep.equal(['a/younger']);
    expect(claims.holder('br-blue', port(80))).to.equal('a/younger');
  });
});
