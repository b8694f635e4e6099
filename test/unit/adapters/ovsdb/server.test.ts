import { expect } from 'chai';
import { readAddresses } from '../../../../src/adapters/ovsdb/server.ts';

describe('addresses of a database server', () => {
  const cases: readonly (readonly [text: string, expected: object])[] = [
    ['unix:/run/ovn/nb.sock', { kind: 'unix', path: '/run/ovn/nb.sock' }],
    ['tcp:192.0.2.1:6641', { kind: 'tcp', host: '192.0.2.1', port: 6641 }],
    ['tcp:192.0.2.1', { kind: 'tcp', host: '192.0.2.1', port: 6640 }],
    ['ssl:[2001:db8::1]:6641', { kind: 'ssl', host: '2001:db8::1', port: 6641 }],
    ['ssl:[2001:db8::1]', { kind: 'ssl', host: '2001:db8::1', port: 6640 }],
    ['tcp:ovn.example.org:6641', { kind: 'tcp', host: 'ovn.example.org', port: 6641 }],
  ];
  for (const [text, expected] of cases) {
    it(`can be ${text}`, () => expect(readAddresses(text)).to.deep.equal([{ ...expected, text }]));
  }

  it('can be several', () => {
    expect(readAddresses('tcp:192.0.2.1:6641, unix:/run/nb.sock')?.map(({ text }) => text)).to.deep.equal([
      'tcp:192.0.2.1:6641',
      'unix:/run/nb.sock',
    ]);
  });

  const wrong = [
    '',
    'unix:',
    'tcp:',
    'tcp:a:b',
    'tcp:a:0',
    'tcp:a:65536',
    'tcp:2001:db8::1',
    'udp:a:1',
    'tcp:a:1,',
    'a',
  ];
  for (const text of wrong) it(`cannot be "${text}"`, () => expect(readAddresses(text)).to.equal(undefined));
});
