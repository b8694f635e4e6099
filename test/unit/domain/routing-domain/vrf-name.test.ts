import { expect } from 'chai';
import { isVrfName, managementPortName, ownVrfName } from '../../../../src/domain/routing-domain/vrf-name.ts';

describe("the name of a network's own VRF", () => {
  const names: readonly (readonly [network: string, id: number | undefined, vrf: string | undefined])[] = [
    ['blue', 7, 'blue'],
    ['blue', undefined, 'blue'],
    ['fifteen-bytes-x', undefined, 'fifteen-bytes-x'],
    ['sixteen-bytes-xx', 7, 'mp7-udn-vrf'],
    ['sixteen-bytes-xx', undefined, undefined],
    ['default', 7, 'mp7-udn-vrf'],
    ['default', undefined, undefined],
    ['default-2', undefined, 'default-2'],
    ['éééééééé', 7, 'mp7-udn-vrf'],
    ['all', undefined, 'all'],
  ];
  for (const [network, id, vrf] of names) {
    it(`of network ${network} ${id === undefined ? 'without an id' : `with id ${id}`} is ${vrf ?? 'not known yet'}`, () => {
      expect(ownVrfName(network, id)).to.equal(vrf);
    });
  }
});

describe("the name of a network's management port", () => {
  it('is told by its id', () => {
    expect(managementPortName(7)).to.equal('ovn-k8s-mp7');
  });
});

describe('a VRF device', () => {
  const names: readonly (readonly [name: string, made: boolean])[] = [
    ['blue', true],
    ['default-2', true],
    ['All', true],
    ['default', false],
    ['all', false],
    ['a/b', false],
    ['if2', false],
    ['if2-blue', false],
    ['iface2', true],
    ['sixteen-bytes-xx', false],
    ['', false],
  ];
  for (const [name, made] of names) {
    it(`called ${JSON.stringify(name)} is ${made ? 'made' : 'refused'}`, () => {
      expect(isVrfName(name)).to.equal(made);
    });
  }
});
