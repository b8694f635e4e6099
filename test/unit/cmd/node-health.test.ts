import { expect } from 'chai';
import { NodeHealth } from '../../../src/cmd/node-health.ts';

describe('what probes are told of the loop of a node', () => {
  const problems = [{ file: '/run/openvswitch/db.sock', message: 'nobody answers' }];
  const settled = { kind: 'settled', networks: new Map() } as const;
  let now = 0;
  let health: NodeHealth;
  beforeEach(() => {
    now = 0;
    health = new NodeHealth(() => now);
  });

  it('is that it is not ready until the node was brought to its plan once', () => {
    expect(health.readyz()).to.deep.equal({ ok: false, text: 'nothing was done yet' });
    health.take(settled);
    expect(health.readyz()).to.deep.equal({ ok: true, text: 'ok' });
  });

  it('is what keeps it from reading, until that has passed', () => {
    health.take(settled);
    health.take({ kind: 'unreadable', problems });
    expect(health.readyz()).to.deep.equal({ ok: false, text: '/run/openvswitch/db.sock: nobody answers' });
    health.take(settled);
    expect(health.readyz().ok).to.be.true;
  });

  it('is that it goes on, though it finds nothing but what it has said already', () => {
    health.take({ kind: 'unreadable', problems });
    for (let minute = 0; minute < 10; minute += 1) {
      now += 60_000;
      health.take({ kind: 'looked' });
    }
    expect(health.healthz()).to.deep.equal({ ok: true, text: 'ok' });
  });

  it('is that it is stuck where it has not been heard of for three minutes', () => {
    now = 180_000;
    expect(health.healthz().ok).to.be.true;
    now += 1000;
    expect(health.healthz()).to.deep.equal({ ok: false, text: 'the loop has not come round for 181 s' });
  });
});
