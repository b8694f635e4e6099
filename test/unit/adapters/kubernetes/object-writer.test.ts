import { expect } from 'chai';
import type { ApiResult, ApiServer } from '../../../../src/adapters/kubernetes/api-server.ts';
import { ObjectWriter } from '../../../../src/adapters/kubernetes/object-writer.ts';
import type { WatchedList } from '../../../../src/adapters/kubernetes/watched-list.ts';
import { kinds } from '../../../../src/domain/api/kinds.ts';

/** A writer where the API server answers so. */
function writerAnswered(status: number, message: string): ObjectWriter {
  const result: ApiResult = { ok: false, failure: { status, message } };
  const server = { write: () => Promise.resolve(result) } as unknown as ApiServer;
  const list = { uidOf: () => '0000-1111' } as unknown as WatchedList;
  return new ObjectWriter(server, kinds.uplinks, list, 'test');
}

/** What applying the status of Uplink blue results in then. */
async function applied(status: number, message: string) {
  return await writerAnswered(status, message).apply('blue', { status: {} });
}

/** How an API server says that the object is gone, or another one has its name. */
const answers = [
  [404, 'uplinks.k8s.ovn.org "blue" not found'],
  [409, 'uid mismatch: the provided object specified uid 0000-1111'],
  [422, 'Uplink.k8s.ovn.org "blue" is invalid: metadata.uid: Invalid value: "0000-1111": field is immutable'],
] as const;

describe('a status to be applied', () => {
  it('results in no more than that it is done', async () => {
    const server = { write: () => Promise.resolve({ ok: true, value: { kind: 'Uplink' } }) } as unknown as ApiServer;
    const list = { uidOf: () => '0000-1111', take: () => undefined } as unknown as WatchedList;
    const writer = new ObjectWriter(server, kinds.uplinks, list, 'test');
    expect(await writer.apply('blue', { status: {} })).to.deep.equal({ done: true });
  });

  it('needs no object once that is deleted, though its deletion has not been observed', async () => {
    for (const [status, message] of answers)
      expect(await applied(status, message), message).to.deep.equal({ done: true });
  });

  it('needs one if that is what is asked for', async () => {
    for (const [status, message] of answers) {
      const result = await writerAnswered(status, message).applyToExisting('blue', { metadata: {} });
      expect(result, message).to.deep.equal({ done: false, error: 'Uplink/blue was deleted meanwhile' });
    }
  });

  it('is not done if the API server refuses it, or may have done it', async () => {
    expect(await applied(403, 'may not')).to.deep.equal({
      done: false,
      error: 'Uplink/blue: may not',
      isRefused: true,
    });
    expect(await applied(409, 'conflict')).to.deep.include({ done: false });
    const invalid = 'Uplink.k8s.ovn.org "blue" is invalid: metadata.ownerReferences[0].uid: Invalid value';
    expect(await applied(422, invalid)).to.deep.include({ done: false });
    expect(await applied(503, 'busy')).to.deep.equal({ done: false, error: 'Uplink/blue: busy' });
  });
});
