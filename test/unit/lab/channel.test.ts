import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { Channel } from '../../integration/lab/channel.ts';

describe('the channel to a lab machine', () => {
  it('says when a request has no answer within its deadline', async () => {
    const silence = Promise.withResolvers<string>();
    const channel = new Channel(new PassThrough(), new PassThrough(), silence.resolve);
    void channel.request({ do: 'end-node', node: 'worker-a' }, 10);
    expect(await silence.promise).to.equal(
      'the lab machine has not answered within 0.01 s: {"do":"end-node","node":"worker-a"}',
    );
  });

  it('says nothing about one that is answered, or has no deadline', async () => {
    const answers = new PassThrough();
    const silences: string[] = [];
    const channel = new Channel(new PassThrough(), answers, (reason) => silences.push(reason));
    void channel.request({ do: 'run' });
    const answer = channel.request({ do: 'end-node' }, 100);
    answers.write('{"id":2,"value":null}\n');
    expect(await answer).to.equal(null);
    // Until that deadline has passed: a request that is made afterwards has a later one.
    const other = Promise.withResolvers<string>();
    const later = new Channel(new PassThrough(), new PassThrough(), other.resolve);
    void later.request({ do: 'end-node' }, 200);
    await other.promise;
    expect(silences).to.deep.equal([]);
  });
});
