import { clusterNetworkKey } from '../../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { EntityOperation, PutBack } from '../../../../../src/domain/index.ts';
import { operationKey } from '../../../../../src/domain/entities/operations/operation-key.ts';

describe('the key of an operation', () => {
  const address = (validSeconds: number): PutBack => ({
    verb: 'put-back',
    networks: [clusterNetworkKey('blue')],
    device: 'br-blue',
    entity: {
      kind: 'address',
      device: 'br-blue',
      address: { address: '192.0.2.6', prefixLength: 24, scope: 'global', flags: [], validSeconds },
    },
  });
  const vrf = (...names: readonly string[]): EntityOperation<'vrf'> => ({
    verb: 'remove',
    networks: names.map(clusterNetworkKey),
    entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
  });

  it('is the same while a lifetime elapses', () => {
    expect(operationKey(address(100))).to.equal(operationKey(address(99)));
  });

  it('is the same for any networks', () => {
    expect(operationKey(vrf('blue'))).to.equal(operationKey(vrf('blue', 'red')));
  });

  it('is the same in any order of fields', () => {
    expect(
      operationKey({
        entity: { up: true, alias: 'ovn-uplinks:cluster_udn_blue', table: 1012, name: 'blue', kind: 'vrf' },
        networks: [],
        verb: 'remove',
      }),
    ).to.equal(operationKey(vrf()));
  });

  it('distinguishes verbs, kinds, devices and entities', () => {
    const keys = [
      operationKey(address(100)),
      operationKey({ ...address(100), verb: 'take-back' }),
      operationKey({ ...address(100), device: 'br-red' }),
      operationKey(vrf()),
      operationKey({ ...vrf(), verb: 'replace' }),
      operationKey({ ...vrf(), entity: { ...vrf().entity, name: 'red' } }),
    ];
    expect(new Set(keys)).to.have.length(keys.length);
  });
});
