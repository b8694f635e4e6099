import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import type { Administrator } from './administrator.ts';
import { clusterNetwork, NETWORK } from './network-objects.ts';

const DEFINITION = 'NetworkAttachmentDefinition';

/** An object, as far as it is looked at here. */
interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[];
  };
  readonly spec?: { readonly config?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** Owners that others write, where network `blue` is in namespace `demo`. A network `owned` would be in namespace `taken`. */
export function describeDefinitionOwners(use: () => { readonly administrator: Administrator }): void {
  describe('and owners of its NetworkAttachmentDefinitions that others write', () => {
    const stored = async (kind: string, key: string) =>
      (await use().administrator.get(kind, key)) as unknown as Stored | undefined;

    const setOwners = async (key: string, ownerReferences: readonly object[] | undefined) => {
      await use().administrator.merge(DEFINITION, key, { metadata: { ownerReferences } });
    };

    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'uid-other' };
    for (const [what, changed, kept] of [
      ['removed', [], []],
      ['replaced by another controller', [{ ...other, controller: true }], []],
      ['replaced by an owner that is no controller', [other], [other]],
    ] as const) {
      it(`gives one back to its network whose owners were ${what}`, async () => {
        const { metadata } = (await stored(DEFINITION, 'demo/blue'))!;
        await setOwners('demo/blue', changed);
        await eventually('it has its owner', async () => {
          const { ownerReferences = [] } = (await stored(DEFINITION, 'demo/blue'))!.metadata;
          return ownerReferences.some(({ kind }) => kind === NETWORK);
        });
        const restored = (await stored(DEFINITION, 'demo/blue'))!.metadata;
        expect(restored.uid).to.equal(metadata.uid);
        expect(restored.ownerReferences).to.have.deep.members([...metadata.ownerReferences!, ...kept]);
        await setOwners('demo/blue', metadata.ownerReferences);
      });
    }

    it('leaves one of a tenant alone that has the uid of a network, and says so', async () => {
      const { administrator } = use();
      await administrator.apply(clusterNetwork('owned'));
      await eventually('the network is there', async () => (await stored(NETWORK, 'owned')) !== undefined);
      const { uid } = (await stored(NETWORK, 'owned'))!.metadata;
      const owner = { apiVersion: 'k8s.ovn.org/v1', kind: NETWORK, name: 'owned', uid, controller: true };
      const spec = { config: '{"type":"bridge"}' };
      const metadata = { namespace: 'taken', name: 'owned', ownerReferences: [owner] };
      await administrator.apply({ apiVersion: 'k8s.cni.cncf.io/v1', kind: DEFINITION, metadata, spec });
      const before = await stored(DEFINITION, 'taken/owned');
      await administrator.apply({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: 'taken',
          labels: { tenant: 'owned', 'k8s.ovn.org/primary-user-defined-network': '' },
        },
      });
      await eventually('it is reported', async () => {
        const { conditions = [] } = (await stored(NETWORK, 'owned'))?.status ?? {};
        return conditions.some(({ reason }) => reason === 'ForeignAttachmentDefinition');
      });
      await administrator.delete(NETWORK, 'owned');
      await eventually('the network is gone', async () => (await stored(NETWORK, 'owned')) === undefined);
      expect(await stored(DEFINITION, 'taken/owned')).to.deep.equal(before);
    });
  });
}
