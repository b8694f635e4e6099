import { expect } from 'chai';
import { bridge } from '../../../../src/domain/discovery/bridge.ts';
import type { BriefNode } from '../../../../src/testing/index.ts';
import { discoveryInput, hostLink } from './discovery-input.ts';

const macAddress = '02:00:00:00:00:aa';

function judge(node: Omit<BriefNode, 'nodeName' | 'links'>) {
  const input = discoveryInput({ links: [{ name: 'br-blue' }], ...node });
  return bridge.run(input, { link: hostLink(input), macAddress });
}

/** Names of the bridge, of the port on it, and of the interface of that port, that were found. */
function found(node: Omit<BriefNode, 'nodeName' | 'links'>): readonly string[] {
  const outcome = judge(node);
  if (!outcome.ok) return [];
  const { bridge: onBridge, hostPort, hostPortInterface } = outcome.found;
  return [onBridge.name, hostPort.name, hostPortInterface];
}

describe('the bridge of the host interface', () => {
  it('is the one with the interface as its LOCAL port', () => {
    expect(found({ bridges: [{ name: 'br-other' }, { name: 'br-blue' }] })).to.deep.equal([
      'br-blue',
      'br-blue',
      'br-blue',
    ]);
  });

  it('is the one with the interface as another port', () => {
    const port = { name: 'to-host', interfaces: [{ name: 'br-blue', type: 'internal' }] };
    expect(found({ bridges: [{ name: 'br-x', ports: [{ name: 'eth1' }, port] }] })).to.deep.equal([
      'br-x',
      'to-host',
      'br-blue',
    ]);
  });

  it('is not found if no bridge has it', () => {
    const failure = { reason: 'BridgeNotFound' };
    expect(judge({ bridges: [{ name: 'br-other' }] })).to.deep.equal({ ok: false, failure });
    expect(judge({})).to.deep.equal({ ok: false, failure });
  });

  it('is invalid if Open vSwitch has two rows for it', () => {
    const port = { name: 'br-blue' };
    expect(
      judge({
        bridges: [
          { name: 'br-z', ports: [port] },
          { name: 'br-x', ports: [port] },
        ],
      }),
    ).to.deep.equal({
      ok: false,
      failure: { reason: 'BridgeInvalid', cause: 'name-twice', name: 'br-blue', bridges: ['br-x', 'br-z'] },
    });
    const twice = [
      { name: 'p', interfaces: [{ name: 'br-blue' }] },
      { name: 'q', interfaces: [{ name: 'br-blue' }] },
    ];
    expect(judge({ bridges: [{ name: 'br-x', ports: twice }] })).to.deep.equal({
      ok: false,
      failure: { reason: 'BridgeInvalid', cause: 'name-twice', name: 'br-blue', bridges: ['br-x'] },
    });
  });

  describe('on a SmartNIC', () => {
    const bridges = [{ name: 'br-x', ports: [{ name: 'pf0vf1' }] }];
    for (const flavour of ['pcipf', 'pcivf', 'pcisf']) {
      it(`is that of the ${flavour} representor with its MAC address`, () => {
        const devlinkPorts = [
          { device: 'pf0vf0', flavour, functionMacAddress: '02:00:00:00:00:bb' },
          { device: 'pf0vf1', flavour, functionMacAddress: '02:00:00:00:00:AA' },
        ];
        expect(found({ bridges, devlinkPorts })).to.deep.equal(['br-x', 'pf0vf1', 'pf0vf1']);
      });
    }

    const others: readonly (readonly [what: string, port: NonNullable<BriefNode['devlinkPorts']>[number]])[] = [
      [
        'a physical port with the MAC address',
        { device: 'pf0vf1', flavour: 'physical', functionMacAddress: macAddress },
      ],
      ['a representor of another', { device: 'pf0vf1', flavour: 'pcivf', functionMacAddress: '02:00:00:00:00:bb' }],
      ['a representor of nobody knows whom', { device: 'pf0vf1', flavour: 'pcivf' }],
      ['a representor on no bridge', { device: 'pf0vf9', flavour: 'pcivf', functionMacAddress: macAddress }],
    ];
    for (const [what, port] of others) {
      it(`is not that of ${what}`, () => {
        expect(judge({ bridges, devlinkPorts: [port] })).to.deep.equal({
          ok: false,
          failure: { reason: 'BridgeNotFound' },
        });
      });
    }

    it('is the one with the interface itself rather than with a representor', () => {
      const devlinkPorts = [{ device: 'pf0vf1', flavour: 'pcivf', functionMacAddress: macAddress }];
      const all = [...bridges, { name: 'br-blue' }];
      expect(found({ bridges: all, devlinkPorts })).to.deep.equal(['br-blue', 'br-blue', 'br-blue']);
    });

    it('is invalid if two representors have its MAC address', () => {
      const devlinkPorts = ['pf0vf1', 'pf0vf2'].map((device) => ({
        device,
        flavour: 'pcivf',
        functionMacAddress: macAddress,
      }));
      const both = [...bridges, { name: 'br-y', ports: [{ name: 'pf0vf2' }] }];
      const outcome = judge({ bridges: both, devlinkPorts });
      expect(outcome).to.deep.include({ ok: false });
      expect(outcome).to.have.nested.property('failure.cause', 'several-representors');
      expect(outcome).to.have.nested.property('failure.representors').that.deep.equals(['pf0vf1', 'pf0vf2']);
    });
  });
});
