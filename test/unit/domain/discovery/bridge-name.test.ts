import { expect } from 'chai';
import { bridgeName } from '../../../../src/domain/discovery/bridge-name.ts';
import { discoverySentence } from '../../../../src/domain/status/ready.ts';
import type { Bridge } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { discoveryInput } from './discovery-input.ts';

describe('the name of a bridge', () => {
  const judge = (name: string) => {
    const input = discoveryInput({ bridges: [{ name }] });
    const [bridge] = input.node.snapshot.bridges as readonly [Bridge];
    return bridgeName.run(input, { bridge, hostPort: bridge.ports[0]!, hostPortInterface: bridge.ports[0]!.name });
  };

  for (const name of ['br-blue', 'a#b é', '-force', 'br.x', 'br=x', 'br;x']) {
    it(`may be ${name}`, () => {
      expect(judge(name)).to.deep.equal({ ok: true, found: {} });
    });
  }

  for (const name of ['br,x', 'br:x', ',', ':', 'br-blue,', ':br-blue', 'br,x:y']) {
    it(`cannot be ${name} in bridge mappings`, () => {
      const failure = { reason: 'BridgeInvalid', cause: 'unmappable-name', bridge: name } as const;
      expect(judge(name)).to.deep.equal({ ok: false, failure });
      expect(discoverySentence(failure, 'one0')).to.equal(
        `bridge ${name} cannot be used in ovn-bridge-mappings: its name contains a comma or a colon`,
      );
    });
  }
});
