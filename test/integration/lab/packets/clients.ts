import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { type Answers, exchange, type Exchange } from './exchange.ts';
import { podAddressesOf, podNamespace } from './own-half.ts';
import { providerNamespace } from './provider.ts';
import { addressesOf, common, hostInterfaceOf, type Tenant } from './tenant.ts';

/** A client: a tenant's pod, or the host by the tenant's uplink. */
export interface Client {
  readonly tenant: Tenant;
  readonly kind: 'pod' | 'host';
}

/** The pods of tenants, and the host by each of their uplinks. */
export function podsAndHosts(tenants: readonly Tenant[]): readonly Client[] {
  const uplinks = new Map(tenants.map((tenant) => [tenant.uplink, tenant]));
  return [
    ...tenants.map((tenant) => ({ tenant, kind: 'pod' as const })),
    ...[...uplinks.values()].map((tenant) => ({ tenant, kind: 'host' as const })),
  ];
}

/** The requests of clients, to every address of the provider. */
export interface Question extends Pick<Exchange, 'protocol' | 'size' | 'rounds' | 'to'> {
  /** One source port for all of them; otherwise the kernel chooses. */
  readonly sourcePort?: number;
  /** Whether each has a source port of its own, by which `datagramsOf` finds it. */
  readonly ownPorts?: boolean;
}

/** A port below 1024: neither a kernel nor translation of addresses chooses one where a program has not asked for one. */
const FIRST_PORT = 700;

/** The source port of a client in each family. */
const portsOf = (place: number): readonly [number, number] => [FIRST_PORT + 2 * place, FIRST_PORT + 2 * place + 1];

/** The filter (pcap-filter(7)) for datagrams that some of the clients have exchanged with ports of their own. */
export function datagramsOf(clients: readonly Client[], isMeant: (client: Client) => boolean): string {
  return clients
    .flatMap((client, place) => (isMeant(client) ? [`udp portrange ${portsOf(place).join('-')}`] : []))
    .join(' or ');
}

/** Where a client is. */
export function wordsOf({ tenant, kind }: Client): Partial<Exchange> {
  if (kind === 'pod') return { from: podNamespace(tenant) };
  return { device: tenant.targetVRF === undefined ? hostInterfaceOf(tenant.uplink) : tenant.name };
}

/** The address of a family that the provider sees. */
function seenAddress({ tenant, kind }: Client, family: number): string | undefined {
  const keepsAddress = kind === 'pod' && tenant.targetVRF !== undefined;
  return (keepsAddress ? podAddressesOf(tenant) : addressesOf(tenant.uplink))[family];
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

/** The requests of clients, with the expected answers: from their own provider, which has seen the expected address. */
export function expectedAnswers(
  clients: readonly Client[],
  { ownPorts, ...question }: Omit<Question, 'to'>,
): readonly { readonly exchange: Exchange; readonly expected: Answers }[] {
  return clients.flatMap((client, place) =>
    common.outside.map((to, family) => {
      const seen = `${providerNamespace(client.tenant.uplink)} ${seenAddress(client, family)}`;
      const sourcePort = ownPorts === true ? { sourcePort: portsOf(place)[family]! } : {};
      return {
        exchange: { ...wordsOf(client), to, ...sourcePort, ...question },
        expected: { answers: { [question.protocol === 'icmp' ? 'reply' : seen]: question.rounds ?? 1 }, lost: 0 },
      };
    }),
  );
}

/** All clients send requests at the same time, in both families, and each gets the expected answers. */
export async function expectAnswers(
  node: LabNode,
  clients: readonly Client[],
  question: Omit<Question, 'to'>,
): Promise<void> {
  const cases = expectedAnswers(clients, question);
  const answers = await exchange(
    node,
    cases.map((each) => each.exchange),
  );
  const described = cases.map((each, index) => [each.exchange, summary(answers[index]!)]);
  expect(described).to.deep.equal(cases.map(({ exchange: asked, expected }) => [asked, expected]));
}
