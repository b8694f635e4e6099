import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import type { CaseLabels } from '../labels.ts';
import { assertSame } from '../violation.ts';
import { servedObjects } from './balanced-node.ts';
import { decidedAbout } from './decided-about-tenant.ts';
import { changesOfOthers, isOf, type Tenant, tenantsOf } from './tenants.ts';

const law = 'separate';

/** Situations of a tenant, by what is decided about it. */
function labelsOf({ network }: Tenant, decided: ReturnType<typeof decidedAbout>): CaseLabels {
  const { mirrors, loadBalancers, nodes } = decided;
  const isOnNode = nodes.some(({ isProgrammed }) => isProgrammed);
  const opens = nodes.some(({ pods }) =>
    pods.some(({ lock }) => lock?.['to-pod'].some(({ kind }) => kind === 'open-ports')),
  );
  return [
    ...(mirrors.length > 0 ? ['mirror'] : []),
    ...(loadBalancers.length > 0 ? ['load balancer'] : []),
    ...(isOnNode ? ['network on a node'] : []),
    ...(isOnNode && network.startsWith('UserDefinedNetwork/') ? ["tenant's own network on a node"] : []),
    ...(opens ? ['open port'] : []),
  ];
}

/**
 * Law: whatever Services, EndpointSlices, pods, UserDefinedNetworks and NetworkAttachmentDefinitions other tenants have, the same is decided about a tenant.
 *
 * Ids are shared: a network that has none yet gets one that depends on those of others (docs/design/networks.md, "Ids"). So claims are stored, and are never changed.
 * Tenants write neither the labels and annotations that policies keep for the cluster manager, nor uids of networks.
 */
export function checkSeparate(engine: Engine, subject: Case): CaseLabels {
  const { cluster } = subject;
  if (cluster.services.length === 0) return [];
  const { slices } = servedObjects(engine, subject);
  return tenantsOf(engine, subject).flatMap((tenant): CaseLabels => {
    const decided = decidedAbout(engine, tenant, subject);
    const others = cluster.namespaces.map(({ metadata }) => metadata.name).filter((name) => !isOf(tenant, name));
    for (const [what, change] of Object.entries(changesOfOthers)) {
      const changed = { ...subject, cluster: change({ cluster, tenant, others, mirrors: slices }) };
      const without = `decisions about tenant ${tenant.network}, and those where ${what},`;
      assertSame(law, without, decided, decidedAbout(engine, tenant, changed));
    }
    return labelsOf(tenant, decided);
  });
}
