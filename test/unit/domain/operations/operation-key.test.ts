import { expect } from 'chai';
import type { Operation } from '../../../../src/domain/index.ts';
import { operationKey } from '../../../../src/domain/operations/operation-key.ts';

describe('what an operation is known by', () => {
  const address = (validSeconds: number): Operation => ({
    verb: 'put-back',
    networks: ['blue'],
    device: 'br-blue',
    entity: {
      kind: 'address',
      device: 'br-blue',
      address: { address: '192.0.2.6', prefixLength: 24, scope: 'global', flags: [], validSeconds },
    },
  });
  const vrf = (...networks: readonly string[]): Operation => ({
    verb: 'remove',
    networks,
    entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
  });

  it('is the same while a lifetime goes on', () => {
    expect(operationKey(address(100))).to.equal(operationKey(address(99)));
  });

  it('is the same whoever shares it', () => {
    expect(operationKey(vrf('blue'))).to.equal(operationKey(vrf('blue', 'red')));
  });

  it('is the same in whichever order its fields stand', () => {
    expect(
      operationKey({
        verb: 'remove',
        networks: [],
        entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
      }),
    ).to.equal(operationKey(vrf()));
  });

  it('tells kinds and things apart', () => {
    const { thing, device, networks } = address(100) as Operation & { readonly kind: 'put-back' };
    const keys = [
      operationKey(address(100)),
      operationKey({ verb: 'take-back', networks, device, entity: thing }),
      operationKey({ verb: 'put-back', networks, device: 'br-red', entity: thing }),
      operationKey(vrf()),
      operationKey({
        verb: 'remove',
        networks: [],
        entity: { kind: 'vrf', name: 'red', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
      }),
    ];
    expect(new Set(keys)).to.have.length(keys.length);
  });
});
