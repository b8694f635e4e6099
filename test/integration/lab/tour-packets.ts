import { textTable } from '../../../src/cmd/text-table.ts';
import { ovnUplinks } from './agent/node-agent.ts';
import type { LabNode } from './node.ts';
import { PROGRAMS } from './node-shell.ts';
import { WireCapture } from './packets/capture.ts';
import { seenAddress } from './packets/clients.ts';
import { type Exchange, exchange } from './packets/exchange.ts';
import { podAddressesOf, podNamespace } from './packets/own-half.ts';
import { providerNamespace, wireOf } from './packets/provider.ts';
import { addressesOf, common, type Tenant } from './packets/tenant.ts';

/** Datagrams of each that asks, in each family. */
const DATAGRAMS = 500;

/** Port that datagrams are sent from; each that asks has one of its own in each family. */
const FIRST_PORT = 41_000;

/** One that asks in one family. */
interface Client {
  readonly tenant: Tenant;
  readonly who: string;
  readonly source: string;
  /** The address that its provider is to see. */
  readonly seen: string | undefined;
  readonly exchange: Exchange;
}

function clientsOf(tenants: readonly Tenant[]): readonly Client[] {
  return tenants
    .flatMap((tenant) =>
      common.outside.flatMap((to, family) => {
        const [pod = '', host = ''] = [podAddressesOf(tenant)[family], addressesOf(tenant.uplink)[family]];
        const [podSeen, hostSeen] = (['pod', 'host'] as const).map((kind) => seenAddress({ tenant, kind }, family));
        return [
          { tenant, who: `${tenant.name}, a pod`, source: pod, seen: podSeen, from: podNamespace(tenant), to },
          { tenant, who: `${tenant.name}, the host`, source: host, seen: hostSeen, device: tenant.name, to },
        ];
      }),
    )
    .map(({ tenant, who, source, seen, ...words }, index) => ({
      tenant,
      who,
      source,
      seen,
      exchange: { ...words, protocol: 'udp', sourcePort: FIRST_PORT + index, rounds: DATAGRAMS },
    }));
}

/** Whether a person is at a terminal. */
export const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

/** The kernel has taken the terminal by then, which goes to the beginning of a line only where it is told to. */
export function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}${isTerminal ? '\r' : ''}\n`);
}

/** Does something, and prints what, and how long it has taken. */
export async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  process.stdout.write(`${what} … `);
  const begin = performance.now();
  const result = await work();
  print(`${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}

/** The wires on which datagrams of a client were seen, with how many of them came to its provider. */
async function wiresOf({ exchange: { sourcePort } }: Client, captures: ReadonlyMap<Tenant, WireCapture>) {
  const seen = await Promise.all(
    [...captures].map(async ([{ uplink }, capture]) => ({
      wire: wireOf(uplink),
      count: (await capture.packets(`udp and src port ${sourcePort ?? 0}`)).length,
    })),
  );
  return seen.filter(({ count }) => count > 0);
}

/** Sends datagrams from every pod of tenants and the host at once, and prints what became of them. Returns whether all is as it should be. */
export async function showPackets(node: LabNode, tenants: readonly Tenant[]): Promise<boolean> {
  const clients = clientsOf(tenants);
  const captures = new Map<Tenant, WireCapture>();
  for (const tenant of tenants) captures.set(tenant, await WireCapture.start(node, providerNamespace(tenant.uplink)));
  const count = clients.length * DATAGRAMS;
  const outcomes = await timed(`${count} datagrams from all pods and hosts at once, and their answers`, () =>
    exchange(
      node,
      clients.map((client) => client.exchange),
    ),
  );
  for (const capture of captures.values()) await capture.stop();
  const rows: string[][] = [];
  let isRight = true;
  for (const [index, client] of clients.entries()) {
    const { answers, lost } = outcomes[index] ?? { answers: {}, lost: DATAGRAMS };
    const wires = await wiresOf(client, captures);
    const [said = 'nobody'] = Object.keys(answers);
    const [provider = '', seenAs = ''] = said.split(' ');
    const answered = Object.values(answers).reduce((sum, each) => sum + each, 0);
    isRight &&=
      lost === 0 &&
      Object.keys(answers).length === 1 &&
      provider === providerNamespace(client.tenant.uplink) &&
      seenAs === client.seen &&
      wires.length === 1 &&
      wires[0]?.wire === wireOf(client.tenant.uplink);
    rows.push([
      client.who,
      client.source,
      client.exchange.to,
      provider,
      seenAs,
      wires.map(({ wire }) => wire).join(' and '),
      `${answered} of ${DATAGRAMS}`,
    ]);
  }
  const heading = ['FROM', 'ITS ADDRESS', 'TO', 'REACHES', 'WHICH SEES', 'ON WIRE', 'ANSWERED'];
  print('', ...textTable([heading, ...rows]));
  return isRight;
}

/** Puts `ovn-uplinks` where a shell on the node finds it. */
export async function installCommand(node: LabNode): Promise<void> {
  const program = `${PROGRAMS}/ovn-uplinks`;
  await node.does(['/bin/busybox', 'mkdir', '-p', PROGRAMS]);
  await node.write(program, `#!/bin/sh\nexec ${ovnUplinks().join(' ')} "$@"\n`);
  await node.does(['/bin/busybox', 'chmod', '+x', program]);
}
