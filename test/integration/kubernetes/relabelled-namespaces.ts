/** Networks of a namespace whose labels change while it has pods. */
import { isDeepStrictEqual } from 'node:util';
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

  /** Waits until condition NetworkCreated of a network has a text, and some namespaces have it. */
  const untilCreated = async (network: string, created: string, namespaces: readonly string[]) => {
    const expected = { created, namespaces };
    let found: unknown;
    await eventually(`${network} is ${created}`, async () => {
      found = await statusOf(network);
      return isDeepStrictEqual(found, expected);
    }).catch(() => expect(found).to.deep.equal(expected));
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
    await untilCreated('purple', 'True: 1 namespace has the network', ['moving']);
    server.apply(pod('moving', 'web'));

    label('nobody');
    const used = 'True: 0 namespaces have the network; still used by pods in moving (web)';
    await untilCreated('purple', used, ['moving']);
    expect(await definitions()).to.deep.equal(['purple']);

    label('orange');
    await untilCreated(
      'orange',
      'False: 1 of 1 namespaces do not have the network: moving (PodsExist); moving: it already has pods: web',
      [],
    );
    await untilCreated('purple', used, ['moving']);
    expect(await definitions()).to.deep.equal(['purple']);

    server.kubectl(['delete', 'pod', '--namespace=moving', 'web']);
    await untilCreated('orange', 'True: 1 namespace has the network', ['moving']);
    await untilCreated('purple', 'True: 0 namespaces have the network', []);
    expect(await definitions()).to.deep.equal(['orange']);
    for (const name of ['purple', 'orange']) await administrator.delete(NETWORK, name);
    await eventually('nothing is left', async () => {
      const networks = await Promise.all(['purple', 'orange'].map((name) => administrator.get(NETWORK, name)));
      return networks.every((each) => each === undefined) && (await definitions()).length === 0;
    });
  });
}
