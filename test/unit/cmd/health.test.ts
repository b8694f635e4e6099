import { expect } from 'chai';
import { Health } from '../../../src/cmd/run/health.ts';
import { inFile } from '../../../src/ports/input-problem.ts';

describe('the health of a loop', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });
  const health = () => new Health(() => now);

  it('is not ready until everything was done once', () => {
    const probes = health();
    expect(probes.readyz()).to.deep.equal({ ok: false, text: 'starting' });
    probes.take({ kind: 'settled' });
    expect(probes.readyz().ok).to.be.true;
  });

  it('is not ready while something cannot be read, and has the problem', () => {
    const probes = health();
    probes.take({ kind: 'settled' });
    probes.take({ kind: 'unreadable', problems: [{ origin: inFile('db.sock'), message: 'nobody answers' }] });
    expect(probes.readyz()).to.deep.equal({ ok: false, text: 'db.sock: nobody answers' });
    probes.take({ kind: 'settled' });
    expect(probes.readyz().ok).to.be.true;
  });

  it('is alive while the loop reports every three minutes', () => {
    const probes = health();
    now = 180_000;
    expect(probes.healthz().ok).to.be.true;
    now += 1;
    expect(probes.healthz()).to.deep.equal({ ok: false, text: 'the loop has not completed a pass for 180 s' });
    probes.take({ kind: 'plan-duration' });
    expect(probes.healthz().ok).to.be.true;
  });

  it('is ready while another process leads, however long the loop is silent', () => {
    const probes = health();
    probes.take({ kind: 'standing-by' });
    now = 3_600_000;
    expect([probes.healthz().ok, probes.readyz().ok]).to.deep.equal([true, true]);
    probes.take({ kind: 'leading' });
    now += 180_001;
    expect(probes.healthz().ok).to.be.false;
  });

  it('is alive though every report is the same', () => {
    const probes = health();
    probes.take({ kind: 'unreadable', problems: [{ origin: inFile('db.sock'), message: 'nobody answers' }] });
    for (let minute = 0; minute < 10; minute += 1) {
      now += 60_000;
      probes.take({ kind: 'observed' });
    }
    expect(probes.healthz().ok).to.be.true;
    expect(probes.readyz().ok).to.be.false;
  });
});
