import { expect } from 'chai';
import { gatewayConfigOf, reservedBridges } from '../../../../../src/domain/plan/view/reserved-bridges.ts';
import { defaultSettings, type NodeSettings } from '../../../../../src/domain/snapshot/settings.ts';
import { node } from '../../brief-objects.ts';

const annotated = (text: string) => node('a', { annotations: { 'k8s.ovn.org/l3-gateway-config': text } });

function reserved(onNode = node('a'), settings: Partial<NodeSettings> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(reservedBridges(onNode, { ...defaultSettings, ...settings }));
}

describe('the bridges that are not uplinks', () => {
  it("are OVN's integration bridge and br-ex", () => {
    expect(reserved()).to.deep.equal({ 'br-int': 'integration', 'br-ex': 'default-gateway' });
  });

  const named: readonly (readonly [what: string, annotation: string, bridge: string])[] = [
    ['that the annotation names', '{"default":{"bridge-id":"br-gw"}}', 'br-gw'],
    ['br-ex where the annotation names none', '{"default":{"mode":"shared"}}', 'br-ex'],
    ['br-ex where the annotation names an empty one', '{"default":{"bridge-id":""}}', 'br-ex'],
    ['br-ex where the annotation is about another network', '{"red":{"bridge-id":"br-gw"}}', 'br-ex'],
    ['br-ex where the annotation is no JSON', 'br-gw', 'br-ex'],
    ['br-ex where the annotation is of another shape', '{"default":{"bridge-id":7}}', 'br-ex'],
  ];
  for (const [what, annotation, bridge] of named) {
    it(`are, as the default gateway's, the one ${what}`, () => {
      expect(reserved(annotated(annotation))).to.deep.equal({ 'br-int': 'integration', [bridge]: 'default-gateway' });
    });
  }

  it("are, as the default gateway's, the configured one, whatever the annotation contains", () => {
    expect(reserved(annotated('{"default":{"bridge-id":"br-gw"}}'), { defaultBridge: 'br-set' })).to.deep.equal({
      'br-int': 'integration',
      'br-set': 'default-gateway',
    });
  });

  it('are the legacy egress gateway bridge where there is one', () => {
    expect(reserved(node('a'), { egressGatewayBridge: 'br-egress' })).to.deep.equal({
      'br-int': 'integration',
      'br-ex': 'default-gateway',
      'br-egress': 'egress-gateway',
    });
  });

  it('have the role of highest precedence', () => {
    expect(reserved(node('a'), { egressGatewayBridge: 'br-ex' })).to.include({ 'br-ex': 'default-gateway' });
    expect(reserved(node('a'), { egressGatewayBridge: 'br-int', defaultBridge: 'br-int' })).to.deep.equal({
      'br-int': 'integration',
    });
  });
});

describe('the gateway annotation of a node', () => {
  it('may be absent', () => {
    expect(gatewayConfigOf(node('a'))).to.deep.equal({ kind: 'absent' });
    expect(gatewayConfigOf(node('a', { annotations: {} }))).to.deep.equal({ kind: 'absent' });
  });

  it('is read with unknown fields', () => {
    const reading = gatewayConfigOf(annotated('{"default":{"bridge-id":"br-gw","mode":"shared"},"red":{}}'));
    expect(reading).to.have.nested.property('value.default.bridge-id', 'br-gw');
  });

  it('may be broken, with the problem', () => {
    expect(gatewayConfigOf(annotated('{"default":{"bridge-id":7}}'))).to.deep.equal({
      kind: 'broken',
      problem: 'default.bridge-id: expected a string, found number 7',
    });
  });
});
