import { expect } from 'chai';
import { encapsulationAddressesOf, publishedTunnelsOf } from '../../../../src/domain/selection/node-network.ts';
import { node } from '../brief-objects.ts';

describe('the addresses of tunnels that a Node has published', () => {
  const publishing = (text: string) => node('a', { annotations: { 'k8s.ovn.org/node-encap-ips': text } });

  it('are those of its annotation that are addresses', () => {
    const object = publishing('["198.51.100.11/24", "198.51.100.300"]');
    expect(encapsulationAddressesOf(object)).to.deep.equal(['198.51.100.11']);
    expect(publishedTunnelsOf(object).unusable.map(({ text }) => text)).to.deep.equal(['198.51.100.300']);
  });

  it('are none without the annotation, without a problem', () => {
    expect(publishedTunnelsOf(node('a'))).to.deep.equal({ addresses: [], unusable: [] });
  });

  for (const [text, problem] of [
    ['198.51.100.11', 'the text is not valid JSON'],
    ['"198.51.100.11"', 'expected a list, found string "198.51.100.11"'],
  ] as const) {
    it(`are none by ${text}, and why is said`, () => {
      expect(publishedTunnelsOf(publishing(text))).to.deep.equal({ addresses: [], unusable: [], problem });
    });
  }
});
