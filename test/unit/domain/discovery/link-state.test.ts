import { expect } from 'chai';
import { downState, linkState } from '../../../../src/domain/discovery/link-state.ts';
import { completeLink, discoveryInput } from './discovery-input.ts';

describe('a device', () => {
  const states: readonly (readonly [up: boolean, operationalState: string, down: string | undefined])[] = [
    [true, 'up', undefined],
    [true, 'unknown', undefined],
    [true, 'dormant', undefined],
    [true, 'down', 'operationally down'],
    [true, 'lowerlayerdown', 'lower layer down'],
    [false, 'up', 'administratively down'],
    [false, 'unknown', 'administratively down'],
    [false, 'down', 'administratively down'],
  ];
  for (const [up, operationalState, down] of states) {
    it(`that is set ${up ? 'up' : 'down'} with operational state ${operationalState} is ${down ?? 'up'}`, () => {
      expect(downState(completeLink({ up, operationalState }))).to.equal(down);
    });
  }
});

describe('the host interface', () => {
  const judge = (operationalState: string) =>
    linkState.run(discoveryInput({}), { link: completeLink({ operationalState }) });

  it('passes where it is up', () => {
    expect(judge('unknown')).to.deep.equal({ ok: true, found: {} });
  });

  it('is not a source of gateway data where it is down', () => {
    expect(judge('down')).to.deep.equal({
      ok: false,
      failure: { reason: 'GatewayInfoUnavailable', cause: 'down', state: 'operationally down' },
    });
  });
});
