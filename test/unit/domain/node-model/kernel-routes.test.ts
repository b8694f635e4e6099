import { expect } from 'chai';
import { withKernelAddressesAndRoutes } from '../../../../src/domain/node-model/kernel-routes.ts';
import { completeNode } from '../../../../src/testing/brief-node.ts';
import { addressTexts, device, kernelRoutes } from './words.ts';

describe('a node without what the kernel adds by itself', () => {
  const links = [
    device('eth0', ['192.0.2.6/24', '2001:db8::6/64']),
    device('eth1', ['198.51.100.6/24'], { up: false }),
  ];
  const node = withKernelAddressesAndRoutes(completeNode({ nodeName: 'a', links }));

  it('is given the routes and the link-local address of a device that is up', () => {
    expect(addressTexts(node, 'eth0')).to.deep.equal(['192.0.2.6/24', '2001:db8::6/64', 'fe80::ff:fe00:1/64']);
    expect(kernelRoutes(node, 4, 'eth0')).to.have.length(3);
    expect(kernelRoutes(node, 6, 'eth0')).to.have.length(5);
  });

  it('is given only the routes of local addresses of a device that is down', () => {
    expect(addressTexts(node, 'eth1')).to.deep.equal(['198.51.100.6/24']);
    expect(kernelRoutes(node, 4, 'eth1')).to.deep.equal(['local local 198.51.100.6/32 dev eth1 src 198.51.100.6']);
    expect(kernelRoutes(node, 6, 'eth1')).to.be.empty;
  });

  it('is unchanged once it has them', () => {
    expect(withKernelAddressesAndRoutes(node)).to.deep.equal(node);
  });
});
