import { expect } from 'chai';
import type { Operation } from '../../../../src/domain/index.ts';
import { operationKey } from '../../../../src/domain/operations/operation-key.ts';

describe('what an operation is known by', () => {
  const address = (validSeconds: number): Operation => ({
    kind: 'put-back',
    networks: ['blue'],
    device: 'br-blue',
    thing: {
      type: 'address',
      device: 'br-blue',
      address: { address: '192.0.2.6', prefixLength: 24, scope: 'global', flags: [], validSeconds },
    },
  });
  const vrf = (...networks: readonly string[]): Operation => ({ kind: 'delete-vrf', networks, vrf: 'blue' });

  it('is the same while a lifetime goes on', () => {
    expect(operationKey(address(100))).to.equal(operationKey(address(99)));
  });

  it('is the same whoever shares it', () => {
    expect(operationKey(vrf('blue'))).to.equal(operationKey(vrf('blue', 'red')));
  });

  it('is the same in whichever order its fields stand', () => {
    expect(operationKey({ vrf: 'blue', networks: [], kind: 'delete-vrf' })).to.equal(operationKey(vrf()));
  });

  it('tells kinds and things apart', () => {
    const { thing, device, networks } = address(100) as Operation & { readonly kind: 'put-back' };
    const keys = [
      operationKey(address(100)),
      operationKey({ kind: 'take-back', networks, device, thing }),
      operationKey({ kind: 'put-back', networks, device: 'br-red', thing }),
      operationKey(vrf()),
      operationKey({ kind: 'delete-vrf', networks: [], vrf: 'red' }),
    ];
    expect(new Set(keys)).to.have.length(keys.length);
  });
});
