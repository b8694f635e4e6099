import { expect } from 'chai';
import type { ApiResult, ApiServer } from '../../../../src/adapters/kubernetes/api-server.ts';
import { ObjectWriter } from '../../../../src/adapters/kubernetes/object-writer.ts';
import type { WatchedList } from '../../../../src/adapters/kubernetes/watched-list.ts';
import { kinds } from '../../../../src/domain/api/kinds.ts';

/** What applying the status of Uplink blue results in, where the API server answers so. */
async function applied(status: number, message: string) {
  const result: ApiResult = { ok: false, failure: { status, message } };
  const server = { write: () => Promise.resolve(result) } as unknown as ApiServer;
  const list = { uidOf: () => '0000-1111' } as unknown as WatchedList;
  return await new ObjectWriter(server, kinds.uplinks, list, 'test').apply('blue', { status: {} });
}

describe('a status to be applied', () => {
  it('needs no object once that is deleted, though its deletion has not been observed', async () => {
    expect(await applied(404, 'uplinks.k8s.ovn.org "blue" not found')).to.deep.equal({ done: true });
    expect(await applied(409, 'uid mismatch: the provided object specified uid 0000-1111')).to.deep.equal({
      done: true,
    });
  });

  it('is not done if the API server refuses it, or may have done it', async () => {
    expect(await applied(403, 'may not')).to.deep.equal({
      done: false,
      error: 'Uplink/blue: may not',
      isRefused: true,
    });
    expect(await applied(409, 'conflict')).to.deep.include({ done: false });
    expect(await applied(503, 'busy')).to.deep.equal({ done: false, error: 'Uplink/blue: busy' });
  });
});
