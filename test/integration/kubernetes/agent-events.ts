import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { refusal } from './admission-requests.ts';
import type { TestApiServer } from './api-server.ts';
import type { ApiUser } from './served-config.ts';

const EVENTS = '/apis/events.k8s.io/v1/namespaces/demo/events';

/** An Event as the agent of worker-a writes it. */
const event = (name: string, brief: object = {}) => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { namespace: 'demo', name },
  eventTime: '2026-11-28T12:00:00.000000Z',
  type: 'Warning',
  reason: 'OpenPortsRefused',
  action: 'Reconcile',
  note: 'a',
  reportingController: 'ovn-uplinks-node',
  reportingInstance: 'worker-a',
  regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'demo', name: 'web' },
  ...brief,
});

const create = (name: string, brief: object): ApiRequest => ({
  method: 'POST',
  path: EVENTS,
  body: event(name, brief),
});

const change = (name: string, body: object): ApiRequest => ({
  method: 'PATCH',
  path: `${EVENTS}/${name}`,
  contentType: 'application/merge-patch+json',
  body,
});

/** Tests which Events an agent writes. @param fixture a server with the policies, and the agent of worker-a */
export function describeAgentEvents(fixture: () => { readonly server: TestApiServer; readonly agent: ApiUser }): void {
  const own = 'an agent writes only Events that it reports itself, with the name of its node';
  const pods = 'an agent writes only warnings about pods';
  const elsewhere = { reportingInstance: 'worker-b' };
  const series = { series: { count: 2, lastObservedTime: '2026-11-28T12:01:00.000000Z' } };

  before(async () => {
    const query = { dryRun: 'All' };
    await eventually('the policy is in force', async () => {
      const answer = await fixture().agent.try({ ...create('probe', elsewhere), query });
      return refusal(answer) === own;
    });
  });

  it('warns of pods in its own name only', async () => {
    const { agent } = fixture();
    for (const [name, brief, said] of [
      ['own', {}, 'done'],
      ['elsewhere', elsewhere, own],
      ['kubelet', { reportingController: 'kubelet' }, own],
      ['normal', { type: 'Normal' }, pods],
      ['service', { regarding: { apiVersion: 'v1', kind: 'Service', namespace: 'demo', name: 'web' } }, pods],
    ] as const)
      expect(refusal(await agent.try(create(name, brief))), name).to.equal(said);
    expect(await agent.try(change('own', series))).to.equal('done');
    expect(refusal(await agent.try({ method: 'DELETE', path: `${EVENTS}/own` }))).to.equal('RBAC');
  });

  it('changes no Event of others, nor takes it for its own', async () => {
    const { server, agent } = fixture();
    server.apply(event('of-others', elsewhere));
    expect(refusal(await agent.try(change('of-others', series)))).to.equal(own);
    const taken = { ...series, reportingInstance: 'worker-a' };
    expect(refusal(await agent.try(change('of-others', taken)))).to.include('field is immutable');
  });
}

/** Tests which Events the cluster manager writes. @param fixture a server with the policies, and the cluster manager */
export function describeManagersEvents(
  fixture: () => { readonly manager: ApiUser; readonly server: TestApiServer },
): void {
  const own = 'the cluster manager writes only Events that it reports itself';
  const subjects = 'the cluster manager writes only Events about Uplinks and networks, and warnings about Services';
  const reporting = { reportingController: 'ovn-uplinks-cluster-manager', reportingInstance: 'a' };
  const about = (kind: string, brief: object = {}) => ({
    ...reporting,
    regarding: { apiVersion: 'v1', kind, namespace: 'demo', name: 'web' },
    ...brief,
  });

  it('reports Uplinks and networks, and warns of Services, in its own name', async () => {
    const { manager } = fixture();
    await eventually('the policy is in force', async () => {
      const answer = await manager.try({ ...create('probe', about('Pod')), query: { dryRun: 'All' } });
      return refusal(answer) === subjects;
    });
    for (const [name, brief, said] of [
      ['service', about('Service'), 'done'],
      ['network', about('UserDefinedNetwork', { type: 'Normal' }), 'done'],
      ['normal', about('Service', { type: 'Normal' }), subjects],
      ['secret', about('Secret'), subjects],
      ['subjectless', about('', { regarding: { namespace: 'demo' } }), subjects],
      ['kubelet', about('Service', { reportingController: 'kubelet' }), own],
    ] as const)
      expect(refusal(await manager.try(create(`manager-${name}`, brief))), name).to.equal(said);
  });

  it('changes no Event of others', async () => {
    const { server, manager } = fixture();
    server.apply(event('manager-of-others', about('Service', { reportingController: 'kubelet' })));
    const series = { series: { count: 2, lastObservedTime: '2026-11-28T12:01:00.000000Z' } };
    expect(refusal(await manager.try(change('manager-of-others', series)))).to.equal(own);
    expect(await manager.try(change('manager-service', series))).to.equal('done');
  });
}
