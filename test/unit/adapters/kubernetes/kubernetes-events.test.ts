import { expect } from 'chai';
import type { ApiRequest, ApiResult } from '../../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesEvents } from '../../../../src/adapters/kubernetes/kubernetes-events.ts';
import { eventually } from '../processes.ts';

/** A request, and when it came, in milliseconds. */
interface Sent extends ApiRequest {
  readonly at: number;
}

describe('events of objects', () => {
  let sent: Sent[];
  let uids: Map<string, string>;
  let asked: string[];
  let events: KubernetesEvents;

  beforeEach(() => {
    sent = [];
    uids = new Map([['Uplink/blue', 'first']]);
    asked = [];
    const send = (request: ApiRequest): Promise<ApiResult> => {
      sent.push({ ...request, at: performance.now() });
      return Promise.resolve({ ok: true, value: {} });
    };
    const uidOf = (object: string) => {
      asked.push(object);
      return uids.get(object);
    };
    events = new KubernetesEvents({ send }, { controller: 'ovn-uplinks-cluster-manager', instance: 'a', uidOf });
  });
  afterEach(() => events.close());

  const report = (type: string, reason: string, object = 'Uplink/blue') => {
    events.report({ kind: 'condition', object, type, status: 'False', reason, message: reason });
  };

  const written = () =>
    sent.map(({ method, body }) => {
      const { reason, regarding } = body as { readonly reason?: string; readonly regarding?: { readonly uid: string } };
      return [method, reason, regarding?.uid].join(' ').trim();
    });

  it('are written one a second for all conditions of an object, and at once for another object', async () => {
    uids.set('Uplink/red', 'red');
    for (const type of ['NetworkCreated', 'NetworkReady']) report(type, `${type}Failed`);
    report('NetworkReady', 'NetworkReadyFailed', 'Uplink/red');
    await eventually('all are written', () => sent.length === 3);
    expect(written()).to.deep.equal([
      'POST NetworkCreatedFailed first',
      'POST NetworkReadyFailed red',
      'POST NetworkReadyFailed first',
    ]);
    expect(sent[2]!.at - sent[0]!.at).to.be.at.least(990);
  });

  it('begin anew for another object of the same name', async () => {
    report('NetworkReady', 'NodeNotReporting');
    await eventually('there is one', () => sent.length === 1);
    uids.set('Uplink/blue', 'second');
    report('NetworkReady', 'NodeNotReporting');
    await eventually('there is another one', () => sent.length === 2);
    expect(written()).to.deep.equal(['POST NodeNotReporting first', 'POST NodeNotReporting second']);
  });

  it('continue those of an object that is gone, under its uid', async () => {
    report('NetworkReady', 'NodeNotReporting');
    await eventually('there is one', () => sent.length === 1);
    uids.delete('Uplink/blue');
    report('NetworkReady', 'Deleted');
    await eventually('there is another one', () => sent.length === 2);
    expect(written()[1]).to.equal('POST Deleted first');
  });

  const warn = (name: string, message: string, uid = 'first') => {
    events.warn({ kind: 'Pod', namespace: 'demo', name, uid, reason: 'OpenPortsRefused', message });
  };

  it('are written of a warning about an object, in its namespace, under the uid that it says', async () => {
    warn('web', 'annotation a: expected b');
    await eventually('there is one', () => sent.length === 1);
    const [{ method, path, body }] = sent as [Sent];
    expect([method, path]).to.deep.equal(['POST', '/apis/events.k8s.io/v1/namespaces/demo/events']);
    expect(body).to.deep.include({
      type: 'Warning',
      reason: 'OpenPortsRefused',
      action: 'Reconcile',
      note: 'annotation a: expected b',
      regarding: { kind: 'Pod', name: 'web', namespace: 'demo', apiVersion: 'v1', uid: 'first' },
    });
    warn('web', 'annotation a: expected b', 'second');
    await eventually('there is another one', () => sent.length === 2);
    expect(written()[1]).to.equal('POST OpenPortsRefused second');
  });

  it('are written fewer and fewer of an object whose warning keeps changing, the last one first', async () => {
    for (const message of ['a', 'b', 'c']) warn('web', message);
    warn('db', 'd');
    await eventually('those of two pods are written', () => sent.length === 2);
    warn('web', 'e');
    warn('web', 'f');
    await eventually('there is the last one', () => sent.length === 3);
    warn('web', 'g');
    await eventually('there is another one', () => sent.length === 4);
    const notes = sent.map(({ body }) => (body as { readonly note: string }).note);
    expect(notes).to.deep.equal(['c', 'd', 'f', 'g']);
    expect(sent[2]!.at - sent[0]!.at).to.be.at.least(990);
    expect(sent[3]!.at - sent[2]!.at).to.be.at.least(1990);
  });

  it('are counted where a warning comes back', async () => {
    warn('web', 'a');
    await eventually('there is one', () => sent.length === 1);
    warn('web', 'a');
    await eventually('it is counted', () => sent.length === 2);
    expect(sent[1]).to.deep.include({ method: 'PATCH' });
    expect((sent[1]!.body as { readonly series: { readonly count: number } }).series.count).to.equal(2);
  });

  it('need no memory for objects that are gone', () => {
    for (let index = 0; index < 1000; index += 1) {
      const object = `Uplink/${index}`;
      uids = new Map([[object, `uid-${index}`]]);
      report('Degraded', 'AllNodesReady', object);
    }
    const looks = asked.filter((object) => object === 'Uplink/0');
    // For its report, and when it is forgotten.
    expect(looks).to.have.length(2);
  });
});
