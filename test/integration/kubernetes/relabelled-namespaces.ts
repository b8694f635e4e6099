/** Networks of a namespace whose labels change while it has pods. */
import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import type { Administrator } from './administrator.ts';
import type { TestApiServer } from './api-server.ts';
import { clusterNetwork, namespace, NETWORK, pod } from './network-objects.ts';

const DEFINITION = 'NetworkAttachmentDefinition';

/** The cluster, whose manager runs. */
export interface Relabelling {
  readonly server: TestApiServer;
  readonly administrator: Administrator;
}

/** Describes them. */
export function describeRelabelledNamespaces(cluster: () => Relabelling): void {
  interface Network {
    readonly status?: {
      readonly activeNamespaces?: readonly string[];
      readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
    };
  }

  const statusOf = async (network: string) => {
    const { status } = ((await cluster().administrator.get(NETWORK, network)) ?? {}) as unknown as Network;
    const created = status?.conditions?.find(({ type }) => type === 'NetworkCreated');
    return { created: `${created?.status}: ${created?.message}`, namespaces: status?.activeNamespaces ?? [] };
  };

  /** Waits until condition NetworkCreated of a network has a text. @returns the namespaces that have it */
  const untilCreated = async (network: string, text: string) => {
    let found = await statusOf(network);
    await eventually(`${network} is ${text}`, async () => {
      found = await statusOf(network);
      return found.created === text;
    }).catch(() => expect(found.created).to.equal(text));
    return found.namespaces;
  };

  const definitions = async () =>
    (await cluster().administrator.list(DEFINITION))
      .map(({ metadata }) => metadata as { readonly namespace?: string; readonly name: string })
      .flatMap((each) => (each.namespace === 'moving' ? [each.name] : []));

  const label = (tenant: string) =>
    cluster().server.kubectl(['label', '--overwrite', 'namespace/moving', `tenant=${tenant}`]);

  it('keeps the network of pods in a namespace that is not selected any more, and another one waits for their end', async () => {
    const { server, administrator } = cluster();
    server.apply(namespace('moving', 'purple'));
    for (const name of ['purple', 'orange']) await administrator.apply(clusterNetwork(name));
    await untilCreated('purple', 'True: 1 namespace has the network');
    server.apply(pod('moving', 'web'));

    label('nobody');
    const used = 'True: 0 namespaces have the network; still used by pods in moving (web)';
    expect(await untilCreated('purple', used)).to.deep.equal(['moving']);
    expect(await definitions()).to.deep.equal(['purple']);

    label('orange');
    const waiting = await untilCreated(
      'orange',
      'False: 1 of 1 namespaces do not have the network: moving (PodsExist); moving: it already has pods: web',
    );
    expect(waiting).to.deep.equal([]);
    expect(await untilCreated('purple', used)).to.deep.equal(['moving']);
    expect(await definitions()).to.deep.equal(['purple']);

    server.kubectl(['delete', 'pod', '--namespace=moving', 'web']);
    expect(await untilCreated('orange', 'True: 1 namespace has the network')).to.deep.equal(['moving']);
    expect(await untilCreated('purple', 'True: 0 namespaces have the network')).to.deep.equal([]);
    expect(await definitions()).to.deep.equal(['orange']);
    for (const name of ['purple', 'orange']) await administrator.delete(NETWORK, name);
    await eventually('nothing is left', async () => {
      const networks = await Promise.all(['purple', 'orange'].map((name) => administrator.get(NETWORK, name)));
      return networks.every((each) => each === undefined) && (await definitions()).length === 0;
    });
  });
}
