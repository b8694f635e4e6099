/** Tests that timed-out.test.ts runs. */
import { expect } from 'chai';
import type { Context } from 'mocha';
import { sharedMachine } from '../shared-machine.ts';

describe('a machine', () => {
  const newNode = async () => (await sharedMachine()).node('worker-a', { openVSwitch: false });
  before(async () => {
    await sharedMachine();
  });

  it('hangs', async function (this: Context) {
    this.timeout(3000);
    await (await newNode()).run(['sleep', '1000'], { deadline: 1_000_000 });
  });

  it('is another one, on which no node has that name', async () => {
    expect(await (await newNode()).does(['hostname'])).to.equal('worker-a\n');
  });
});
