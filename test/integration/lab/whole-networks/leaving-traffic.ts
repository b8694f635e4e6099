/** Traffic of pods that leave by their nodes, and what is on the wires meanwhile. */
import type { LabNode, NodeProcess } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { PORT } from '../packets/exchange.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { namespaceOf, type StartedPod } from './lab-pod.ts';
import { WAY, worldAddresses } from './world.ts';

const BEGUN = new URL('../inside/begun.py', import.meta.url).pathname;

/** Connections begun and requests a second, of each pod in each family. */
const RATE = 20;

/** Filters (pcap-filter(7)) of what is on the wires, by protocol. */
const protocols = { tcp: 'tcp', udp: `udp port ${PORT}`, icmp: 'icmp or icmp6' } as const;

/** A filter for addresses of pods, and of networks between OVN and the kernel. */
const ofNetworks = ['10.20.0.0/16', '169.254.0.0/17', 'fd20::/48', 'fd69::/112']
  .map((cidr) => `net ${cidr}`)
  .join(' or ');

/** Begins a connection of UDP with an address after the other (../inside/begun.py). @returns the file in which it says who answers */
export async function beginConnections(
  pod: StartedPod,
  to: string,
): Promise<{ readonly process: NodeProcess; readonly output: string }> {
  const output = `/run/begun-${namespaceOf(pod)}-${to.includes(':') ? 6 : 4}`;
  const process = await pod.node.start([BEGUN, namespaceOf(pod), to, String(PORT), String(RATE)], output);
  return { process, output };
}

/** Pods of nodes that ask the world all the time: by one connection of TCP, by datagrams, by a new connection for each of some datagrams, and by echo requests. */
export class LeavingTraffic {
  readonly #wires: readonly WireCapture[];
  readonly #traffic: readonly SteadyTraffic[];
  readonly #others: readonly NodeProcess[];

  private constructor(
    wires: readonly WireCapture[],
    traffic: readonly SteadyTraffic[],
    others: readonly NodeProcess[],
  ) {
    this.#wires = wires;
    this.#traffic = traffic;
    this.#others = others;
  }

  /** Starts it, once pods get answers, with captures of the wires to the world and between nodes. */
  static async start(nodes: readonly LabNode[], pods: readonly StartedPod[]): Promise<LeavingTraffic> {
    const wires = await Promise.all(
      nodes.flatMap((node) => [WAY, 'vec0'].map((device) => WireCapture.startAtNode(node, device))),
    );
    const questions = pods.flatMap((pod) => worldAddresses.map((to) => ({ pod, to })));
    const traffic = await Promise.all(
      nodes.map((node) =>
        SteadyTraffic.start(
          node,
          questions
            .filter(({ pod }) => pod.node === node)
            .flatMap(({ pod, to }) =>
              [{ protocol: 'tcp' as const }, {}].map((protocol) => ({
                from: namespaceOf(pod),
                to,
                rate: RATE,
                ...protocol,
              })),
            ),
        ),
      ),
    );
    const others = await Promise.all(
      questions.flatMap(({ pod, to }) => {
        const ping = ['ip', 'netns', 'exec', namespaceOf(pod), 'ping', '-n', '-q', '-i', String(1 / RATE), to];
        const output = `/run/ping-${namespaceOf(pod)}-${to.includes(':') ? 6 : 4}`;
        return [pod.node.start(ping, output), beginConnections(pod, to).then(({ process }) => process)];
      }),
    );
    return new LeavingTraffic(wires, traffic, others);
  }

  /** Ends it at once, its connections too, and then the captures. */
  async stop(): Promise<void> {
    await Promise.all([
      ...this.#traffic.map((each) => each.kill()),
      ...this.#others.map(async (each) => {
        await each.signal('SIGKILL');
        await each.exit();
      }),
    ]);
    await Promise.all(this.#wires.map((wire) => wire.stop()));
  }

  /** The packets that were on the wires with addresses of pods or networks. */
  async leaked(): Promise<readonly string[]> {
    return (await Promise.all(this.#wires.map((wire) => wire.packets(ofNetworks)))).flat();
  }

  /** The number of packets that were on the wires, by protocol. */
  async seen(): Promise<Readonly<Record<keyof typeof protocols, number>>> {
    const counts = await Promise.all(
      Object.entries(protocols).map(async ([name, filter]) => {
        const packets = await Promise.all(this.#wires.map((wire) => wire.packets(filter)));
        return [name, packets.flat().length] as const;
      }),
    );
    return Object.fromEntries(counts) as Record<keyof typeof protocols, number>;
  }
}
