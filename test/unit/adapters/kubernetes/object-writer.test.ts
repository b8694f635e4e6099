import { expect } from 'chai';
import type { ApiRequest, ApiResult, ApiServer } from '../../../../src/adapters/kubernetes/api-server.ts';
import { ObjectWriter } from '../../../../src/adapters/kubernetes/object-writer.ts';
import { writeObject } from '../../../../src/adapters/kubernetes/object-writes.ts';
import type { WatchedList } from '../../../../src/adapters/kubernetes/watch/watched-list.ts';
import { kinds } from '../../../../src/domain/api/kinds.ts';
import type { ObjectWrite } from '../../../../src/domain/objects/object-write.ts';
import { conditionsWrite, nodeWrite, stateWrite } from '../../../../src/domain/objects/writes.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { stateOf } from '../../../integration/uplink-state.ts';

/** The result of a write where the API server answers so. */
function written(write: ObjectWrite, result: ApiResult): Promise<ApplyResult> {
  const server = { write: () => Promise.resolve(result) } as unknown as ApiServer;
  const list = { get: () => undefined, uidOf: () => '0000-1111', take: () => undefined } as unknown as WatchedList;
  return writeObject(write, server, (key, _name, run) => run(new ObjectWriter(server, kinds[key], list, 'test'), list));
}

const status = conditionsWrite({ kind: 'Uplink', name: 'blue', conditions: [] });

/** The result of applying the status of Uplink blue then. */
function applied(code: number, message: string): Promise<ApplyResult> {
  return written(status, { ok: false, failure: { status: code, message } });
}

/** How an API server says that the object is gone, or another one has its name. */
const answers = [
  [404, 'uplinks.k8s.ovn.org "blue" not found'],
  [409, 'uid mismatch: the provided object specified uid 0000-1111'],
  [422, 'Uplink.k8s.ovn.org "blue" is invalid: metadata.uid: Invalid value: "0000-1111": field is immutable'],
] as const;

describe('a status to be applied', () => {
  it('results in no more than that it is done', async () => {
    expect(await written(status, { ok: true, value: { kind: 'Uplink' } })).to.deep.equal({ done: true });
  });

  it('needs no object once that is deleted, though its deletion has not been observed', async () => {
    for (const [code, message] of answers) expect(await applied(code, message), message).to.deep.equal({ done: true });
  });

  it('needs one if that is what is asked for', async () => {
    const metadata = nodeWrite({ name: 'blue', annotations: {} });
    for (const [code, message] of answers) {
      const result = await written(metadata, { ok: false, failure: { status: code, message } });
      expect(result, message).to.deep.equal({ done: false, error: 'Node/blue was deleted meanwhile' });
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

describe('a state to be written', () => {
  it('is not taken from the program that has created it, and said whose it is since it was seen', async () => {
    const seen = stateOf('worker-a', 'Ready');
    const { status: _, ...created } = { ...seen, metadata: { ...seen.metadata, uid: '0000-1111' } };
    const stored = { ...created, status: { uplinkName: 'other', nodeName: 'worker-a' } };
    const writes: ApiRequest[] = [];
    const server = {
      send: () => Promise.resolve({ ok: true, value: stored }),
      write: (request: ApiRequest) => {
        writes.push(request);
        return Promise.resolve({ ok: true, value: stored });
      },
    } as unknown as ApiServer;
    const list = { get: () => created, uidOf: () => '0000-1111', take: () => undefined } as unknown as WatchedList;
    const result = await writeObject(stateWrite(seen), server, (key, _name, run) =>
      run(new ObjectWriter(server, kinds[key], list, 'test'), list),
    );
    const error = 'UplinkState/uplink-0.worker-a: it already exists, and is of Uplink "other" on Node "worker-a"';
    expect(result).to.deep.equal({ done: false, error, isRefused: true });
    expect(writes).to.deep.equal([]);
  });
});
