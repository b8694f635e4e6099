import { mock } from 'node:test';
import { expect } from 'chai';
import { awaited, Changes } from '../../../src/ports/changes.ts';

const never = new AbortController().signal;

const nothing = () => Promise.resolve<string | undefined>(undefined);

/** Something that changes. */
function changing() {
  const changes = new Changes();
  return { changes, source: { onChange: (listener: () => void) => changes.listen(listener) } };
}

describe('waiting for something to come of changes', () => {
  it('looks again after each change', async () => {
    const { changes, source } = changing();
    const values = [undefined, 'there'];
    const found = awaited([source], () => Promise.resolve(values.shift()), 60_000, never);
    changes.notify();
    expect(await found).to.equal('there');
  });

  it('ends once its time is over, though a timer fires before the clock says so', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const found = awaited([], nothing, 60_000, never);
      mock.timers.tick(60_000);
      expect(await found).to.be.undefined;
    } finally {
      mock.timers.reset();
    }
  });

  it('ends once its signal is aborted', async () => {
    const ended = new AbortController();
    const found = awaited([], nothing, 60_000, ended.signal);
    ended.abort();
    expect(await found).to.be.undefined;
  });
});
