import { expect } from 'chai';
import { bridgeRole } from '../../../../src/domain/discovery/bridge-role.ts';
import type { ReservedBridgeRole } from '../../../../src/domain/discovery/discovery.ts';
import type { Bridge } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { discoveryInput } from './discovery-input.ts';

describe('a bridge', () => {
  const reservedBridges = new Map<string, ReservedBridgeRole>([['br-ex', 'default-gateway']]);
  const judge = (name: string) => {
    const input = discoveryInput({ bridges: [{ name }] }, { reservedBridges });
    const [bridge] = input.node.snapshot.bridges as readonly [Bridge];
    return bridgeRole.run(input, { bridge, hostPort: bridge.ports[0]!, hostPortInterface: bridge.ports[0]!.name });
  };

  it('that no other program depends on may be an uplink’s', () => {
    expect(judge('br-blue')).to.deep.equal({ ok: true, found: {} });
  });

  it('that is reserved is invalid, and its role is reported', () => {
    expect(judge('br-ex')).to.deep.equal({
      ok: false,
      failure: { reason: 'BridgeInvalid', cause: 'reserved', bridge: 'br-ex', role: 'default-gateway' },
    });
  });
});
