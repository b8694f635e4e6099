import { expect } from 'chai';
import { readNeighbourProxies } from '../../../../src/adapters/iproute2-json/neighbour-proxies.ts';
import { problemLines, valueOf } from '../readings.ts';

const FILE = 'ip-neighbour-proxy.json';

describe('proxy entries of `ip -json -details neighbour show proxy`', () => {
  it('are read from the output of iproute2 6.1 on Linux 6.1', () => {
    const printed = [
      '{"dst":"192.0.2.50","dev":"br-blue","proxy":null}',
      '{"dst":"2001:db8:b::50","dev":"br-blue","router":null,"proxy":null,"protocol":"static"}',
    ];
    expect(valueOf(readNeighbourProxies(`[${printed.join(',')}]`, FILE))).to.deep.equal([
      { device: 'br-blue', address: '192.0.2.50' },
      { device: 'br-blue', address: '2001:db8:b::50', protocol: 'static', router: true },
    ]);
  });

  it('are empty for an empty file, for an empty list, and without a device', () => {
    expect(valueOf(readNeighbourProxies('', FILE))).to.deep.equal([]);
    expect(valueOf(readNeighbourProxies('[]', FILE))).to.deep.equal([]);
    expect(valueOf(readNeighbourProxies('[{"dst":"192.0.2.50","proxy":null}]', FILE))).to.deep.equal([]);
  });

  it('are invalid without an address', () => {
    expect(problemLines(readNeighbourProxies('[{"dev":"br-blue","proxy":null}]', FILE))).to.deep.equal([
      `${FILE}: [0].dst: expected a value, found nothing`,
    ]);
  });
});
