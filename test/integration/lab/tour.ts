/**
 * Shows two tenants with the same addresses on one node: who reaches whom, from which address, on which wire. On a terminal it then opens a shell on
 * the node.
 *
 * npm run tour
 */
import { textTable } from '../../../src/cmd/text-table.ts';
import { ovnUplinks } from './agent/node-agent.ts';
import { Machine } from './machine.ts';
import type { LabNode } from './node.ts';
import { keepingTerminal, openShell, PROGRAMS } from './node-shell.ts';
import { WireCapture } from './packets/capture.ts';
import { type Exchange, exchange } from './packets/exchange.ts';
import { podAddresses, podNamespace } from './packets/own-half.ts';
import { carrying, preparedNode } from './packets/packet-node.ts';
import { providerNamespace, wireOf } from './packets/provider.ts';
import { blue, common, red, type Tenant } from './packets/tenant.ts';

const tenants = [blue, red];

/** Datagrams of each that asks, in each family. */
const DATAGRAMS = 500;

/** Port that datagrams are sent from; each that asks has one of its own in each family. */
const FIRST_PORT = 41_000;

/** One that asks in one family. */
interface Client {
  readonly tenant: Tenant;
  readonly who: string;
  readonly source: string;
  readonly exchange: Exchange;
}

const clients: readonly Client[] = tenants
  .flatMap((tenant) =>
    common.outside.flatMap((to, family) => [
      { tenant, who: `${tenant.name}, a pod`, source: podAddresses[family] ?? '', from: podNamespace(tenant), to },
      { tenant, who: `${tenant.name}, the host`, source: common.uplink[family] ?? '', device: tenant.name, to },
    ]),
  )
  .map(({ tenant, who, source, ...words }, index) => ({
    tenant,
    who,
    source,
    exchange: { ...words, protocol: 'udp', sourcePort: FIRST_PORT + index, rounds: DATAGRAMS },
  }));

const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

/** The kernel has taken the terminal by then, which goes to the beginning of a line only where it is told to. */
function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}${isTerminal ? '\r' : ''}\n`);
}

/** Does something, and prints what, and how long it has taken. */
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  process.stdout.write(`${what} … `);
  const begin = performance.now();
  const result = await work();
  print(`${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}

/** The wires on which datagrams of an client were seen, with how many of them came to its provider. */
async function wiresOf({ exchange: { sourcePort } }: Client, captures: ReadonlyMap<Tenant, WireCapture>) {
  const seen = await Promise.all(
    [...captures].map(async ([{ uplink }, capture]) => ({
      wire: wireOf(uplink),
      count: (await capture.packets(`udp and src port ${sourcePort ?? 0}`)).length,
    })),
  );
  return seen.filter(({ count }) => count > 0);
}

/** Sends datagrams from every pod and host at once, and prints what became of them. Returns whether all is as it should be. */
async function showPackets(node: LabNode): Promise<boolean> {
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

/** What a person may want to do next. */
const suggestions = [
  'ip netns exec blue-pod ping 198.51.100.200',
  "ovn-uplinks trace blue worker-a 'tcp 10.20.1.5:40000 > 198.51.100.200:8080' --local --manifests /run/manifests --check",
  'ovn-uplinks flows worker-a --local --manifests /run/manifests --bridge br-blue',
  'ovn-uplinks node --node worker-a --manifests /run/manifests --dry-run',
  'cat /run/manifests/status/UplinkState/uplink-0.worker-a.yaml',
  'ovs-ofctl del-flows br-blue        # and they are back within a second: ovs-ofctl dump-flows br-blue',
  'ip link set br-blue nomaster       # and it is back in its VRF with its routes: ip vrf; ip route show vrf blue',
  'less /run/agent.log                # what the agent has done',
];

/** Puts `ovn-uplinks` where a shell on the node finds it. */
async function installCommand(node: LabNode): Promise<void> {
  const program = `${PROGRAMS}/ovn-uplinks`;
  await node.does(['/bin/busybox', 'mkdir', '-p', PROGRAMS]);
  await node.write(program, `#!/bin/sh\nexec ${ovnUplinks().join(' ')} "$@"\n`);
  await node.does(['/bin/busybox', 'chmod', '+x', program]);
}

async function tour(): Promise<number> {
  print(
    'Two tenants of one node with the same subnet of pods, the same uplink address and the same provider address,',
    'each with a bridge, a wire and a VRF of its own. Nothing but ovn-uplinks keeps them apart.',
    '',
  );
  const begin = performance.now();
  const machine = await timed('A machine with a Linux kernel of its own', () =>
    Machine.start({ console: isTerminal ? 'terminal' : 'kept' }),
  );
  try {
    const node = await timed(
      'Open vSwitch, OVN, bridges, providers, and the networks as OVN-Kubernetes makes them',
      () => preparedNode(tenants, () => Promise.resolve(machine)),
    );
    await timed('The agent: VRFs, routes, rules, gateway routers, flows', () => carrying(node, tenants));
    const isRight = await showPackets(node);
    const seconds = Math.round((performance.now() - begin) / 1000);
    print(
      '',
      `${isRight ? 'Each has reached its own provider, on its own wire' : 'This is not as it should be'}, after ${seconds} s.`,
    );
    if (isTerminal) {
      await installCommand(node);
      print('', 'This is a shell on the node; "exit" ends it. To try:', ...suggestions.map((line) => `  ${line}`), '');
      await openShell(node);
    }
    return isRight ? 0 : 1;
  } finally {
    await machine.stop();
  }
}

process.exitCode = await (isTerminal ? keepingTerminal(tour) : tour());
