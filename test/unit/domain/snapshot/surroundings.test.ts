import { expect } from 'chai';
import { describe, it } from 'mocha';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { surroundings } from '../../../../src/domain/snapshot/surroundings.ts';
import { completeNode } from '../../../../src/testing/index.ts';

const node = completeNode({
  nodeName: 'worker',
  kernelRoutes: true,
  links: [
    { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
    { name: 'br-blue.7', kind: 'vlan', lowerDevice: 'br-blue' },
    { name: 'br-red', addresses: [{ address: '198.51.100.6', prefixLength: 24 }] },
  ],
});

const namesIn = (names: readonly string[]) => surroundings(viewNode(node), names).links.map(({ name }) => name);

describe('the surroundings of a device', () => {
  it('are the device and what is stacked on it', () => {
    expect(namesIn(['br-blue'])).to.deep.equal(['br-blue', 'br-blue.7']);
  });

  it('are those of all devices together', () => {
    expect(namesIn(['br-red', 'br-blue'])).to.deep.equal(['br-red', 'br-blue', 'br-blue.7']);
  });

  it('are empty for a device that the node does not have', () => {
    const { links, routes } = surroundings(viewNode(node), ['eth99']);
    expect({ links, routes }).to.deep.equal({ links: [], routes: [] });
  });

  it('are the same as without a device that the node does not have', () => {
    const view = viewNode(node);
    expect(surroundings(view, ['br-blue', 'tenant-vrf'])).to.equal(surroundings(view, ['br-blue']));
  });
});
