import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { type Answers, exchange, type Exchange } from './exchange.ts';
import { podAddresses, podNamespace } from './own-half.ts';
import { providerNamespace } from './provider.ts';
import { common, hostInterfaceOf, type Tenant } from './tenant.ts';

/** Who asks: a tenant's pod, or the host by the tenant's uplink. */
export interface Asker {
  readonly tenant: Tenant;
  readonly kind: 'pod' | 'host';
}

/** The pods of tenants, and the host by each of their uplinks. */
export function podsAndHosts(tenants: readonly Tenant[]): readonly Asker[] {
  const uplinks = new Map(tenants.map((tenant) => [tenant.uplink, tenant]));
  return [
    ...tenants.map((tenant) => ({ tenant, kind: 'pod' as const })),
    ...[...uplinks.values()].map((tenant) => ({ tenant, kind: 'host' as const })),
  ];
}

/** What the askers ask: of every address of the provider. */
export interface Question extends Pick<Exchange, 'protocol' | 'size' | 'rounds' | 'to'> {
  /** One source port for all of them; otherwise each has one of its own, from `firstPort` on where that is given. */
  readonly sourcePort?: number;
  readonly firstPort?: number;
}

function wordsOf({ tenant, kind }: Asker): Partial<Exchange> {
  if (kind === 'pod') return { from: podNamespace(tenant) };
  return { device: tenant.targetVRF === undefined ? hostInterfaceOf(tenant.uplink) : tenant.name };
}

/** The address of a family that the provider sees. */
function seenAddress({ tenant, kind }: Asker, family: number): string | undefined {
  const keepsAddress = kind === 'pod' && tenant.targetVRF !== undefined;
  return (keepsAddress ? podAddresses : common.uplink)[family];
}

/** An answer without the port that the provider has seen: translation may have changed it. */
const withoutPort = (answer: string) => answer.split(' ').slice(0, 2).join(' ');

/** The answers of an exchange, without ports. */
export function summary({ answers, ...rest }: Answers): Answers {
  const counts = new Map<string, number>();
  for (const [answer, count] of Object.entries(answers)) {
    counts.set(withoutPort(answer), (counts.get(withoutPort(answer)) ?? 0) + count);
  }
  return { answers: Object.fromEntries(counts), ...rest };
}

/** What askers ask, with the answers that they should get: of its own provider, which has seen the address that it should. */
export function expectedAnswers(
  askers: readonly Asker[],
  { firstPort, ...question }: Omit<Question, 'to'>,
): readonly { readonly exchange: Exchange; readonly expected: Answers }[] {
  return askers.flatMap((asker, place) =>
    common.outside.map((to, family) => {
      const seen = `${providerNamespace(asker.tenant.uplink)} ${seenAddress(asker, family)}`;
      const sourcePort = firstPort === undefined ? {} : { sourcePort: firstPort + 2 * place + family };
      return {
        exchange: { ...wordsOf(asker), to, ...sourcePort, ...question },
        expected: { answers: { [question.protocol === 'icmp' ? 'reply' : seen]: question.rounds ?? 1 }, lost: 0 },
      };
    }),
  );
}

/** All askers ask at the same time, in both families, and each gets the answers that it should. */
export async function expectAnswers(
  node: LabNode,
  askers: readonly Asker[],
  question: Omit<Question, 'to'>,
): Promise<void> {
  const cases = expectedAnswers(askers, question);
  const answers = await exchange(
    node,
    cases.map((each) => each.exchange),
  );
  const described = cases.map((each, index) => [each.exchange, summary(answers[index]!)]);
  expect(described).to.deep.equal(cases.map(({ exchange: asked, expected }) => [asked, expected]));
}
