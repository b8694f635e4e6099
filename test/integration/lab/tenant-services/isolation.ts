/** Who reaches which ClusterIP in a cluster: what the rules say, and what packets find. */
import { PORT } from '../packets/exchange.ts';
import type { Answers } from '../packets/exchange.ts';
import type { LabNode } from '../node.ts';
import { API, exchangeAll } from '../whole-networks/default-network.ts';
import { DNS } from '../../kubernetes/dns-objects.ts';
import { namespaceOf } from '../whole-networks/lab-pod.ts';
import { allowed, plain, type ServedCluster } from './served-cluster.ts';
import { type LabService, SERVICE_PORT } from './served.ts';

/** The owner of what is in no tenant's network. */
const DEFAULT = 'default';

/** A pod or a node that asks. */
interface Client {
  readonly name: string;
  readonly node: LabNode;
  /** Its network namespace; absent for the node itself. */
  readonly from?: string;
  /** The tenant whose pod it is, or `default`. */
  readonly owner: string;
}

/** A ClusterIP that is asked, or two of one Service. */
export interface Destination {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** The tenant in whose network it is served, or `default`; absent where it is served nowhere. */
  readonly owner?: string;
  /** Whether pods of tenants may reach it by their interface in the default network. */
  readonly isForTenants?: true;
  /** Whether it says nothing first when a client connects, and answers no datagram that it does not understand. */
  readonly isSilent?: true;
}

/** The Services of the default network, and an address that no Service has. */
export const defaultDestinations: readonly Destination[] = [
  { name: 'DNS', addresses: [DNS], port: 53, owner: DEFAULT, isForTenants: true, isSilent: true },
  { name: 'the API', addresses: [API], port: 443, owner: DEFAULT, isForTenants: true, isSilent: true },
  { ...allowed, port: PORT, owner: DEFAULT, isForTenants: true },
  { ...plain, port: PORT, owner: DEFAULT },
  { name: 'nobody', addresses: ['10.96.20.99', 'fd96::2099'], port: SERVICE_PORT },
];

/** A Service of a tenant. @param isServed false where it has no endpoint that may be used */
export const ofTenant = ({ tenant, name, addresses }: LabService, isServed: boolean): Destination => ({
  name: `${tenant}/${name}`,
  addresses,
  port: SERVICE_PORT,
  ...(isServed && { owner: tenant }),
});

/** All pods of tenants. */
export const clientsOfTenants = ({ pods }: ServedCluster): readonly Client[] =>
  pods.map((pod) => ({ name: namespaceOf(pod), node: pod.node, from: namespaceOf(pod), owner: pod.namespace }));

/** The pods of the default network, and the nodes themselves. */
export const clientsOfDefault = ({ defaultPods, nodes }: ServedCluster): readonly Client[] => [
  ...defaultPods.map((pod) => ({ name: namespaceOf(pod), node: pod.node, from: namespaceOf(pod), owner: DEFAULT })),
  ...nodes.map((node) => ({ name: node.name, node, owner: DEFAULT })),
];

/** The rules. */
function mayReach({ owner }: Client, destination: Destination): boolean {
  if (destination.owner === undefined) return false;
  return destination.owner === owner || destination.isForTenants === true;
}

/** The owner of the endpoint that answers, or `connected` where it says nothing; `refused` at once, or `nothing`. */
type Fate = string;

/** The fate of packets by the rules: in networks what is not served is refused, and outside it is left to the routes. */
function expectedFate(client: Client, destination: Destination): Fate {
  if (mayReach(client, destination)) return destination.isSilent === true ? 'connected' : destination.owner!;
  return client.owner === DEFAULT ? 'nothing' : 'refused';
}

function fateOf(protocol: string, { answers, error }: Answers): Fate {
  const [answer = ''] = Object.keys(answers);
  // A connection that is closed without a word has an empty answer.
  if (answer !== '') return answer.split('-', 1)[0]!;
  if (error?.includes('refused') === true) return 'refused';
  return protocol === 'tcp' && error === undefined ? 'connected' : 'nothing';
}

/** A table of fates: by client, then by destination. */
type Fates = Readonly<Record<string, Readonly<Record<string, Fate>>>>;

function table(
  clients: readonly Client[],
  destinations: readonly Destination[],
  fate: (client: Client, destination: Destination) => Fate,
): Fates {
  return Object.fromEntries(
    clients.map((client) => [
      client.name,
      Object.fromEntries(destinations.map((destination) => [destination.name, fate(client, destination)])),
    ]),
  );
}

/** The table by the rules. */
export function expectedFates(clients: readonly Client[], destinations: readonly Destination[]): Fates {
  return table(clients, destinations, expectedFate);
}

/** The table by packets: TCP and UDP to each address, at the same time; where fates differ, all of them. */
export async function foundFates(clients: readonly Client[], destinations: readonly Destination[]): Promise<Fates> {
  const cases = clients.flatMap((client) =>
    destinations.flatMap((destination) =>
      destination.addresses.flatMap((to) =>
        (destination.isSilent === true ? (['tcp'] as const) : (['tcp', 'udp'] as const)).map((protocol) => ({
          client,
          destination,
          protocol,
          to,
        })),
      ),
    ),
  );
  const found = await exchangeAll(
    cases.map(({ client, destination, protocol, to }) => ({
      node: client.node,
      asked: {
        ...(client.from !== undefined && { from: client.from }),
        to,
        port: destination.port,
        protocol,
        unanswered: destination.isSilent === true || !mayReach(client, destination),
      },
    })),
  );
  return table(clients, destinations, (client, destination) => {
    const fates = cases.flatMap((each, index) =>
      each.client === client && each.destination === destination ? [fateOf(each.protocol, found[index]!)] : [],
    );
    return [...new Set(fates)].sort().join(' or ');
  });
}
