import { expect } from 'chai';
import { isVrfName, ownVrfName } from '../../../../../src/domain/network/names/vrf.ts';
import { isManagementPortName, managementPortName } from '../../../../../src/domain/network/names/management-port.ts';

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
  it('contains its id', () => {
    expect(managementPortName(7)).to.equal('ovn-k8s-mp7');
  });

  const names: readonly (readonly [name: string, reserved: boolean])[] = [
    ['ovn-k8s-mp7', true],
    ['ovn-k8s-mp0', true],
    ['ovn-k8s-mp1042', true],
    ['ovn-k8s-mp', false],
    ['ovn-k8s-mp7a', false],
    ['ovn-k8s-mp-7', false],
    ['ovn-k8s-gw7', false],
    ['1234567890123', false],
  ];
  for (const [name, reserved] of names) {
    it(`${reserved ? 'may be' : 'is never'} ${name}`, () => {
      expect(isManagementPortName(name)).to.equal(reserved);
    });
  }
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
