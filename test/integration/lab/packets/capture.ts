import type { ArgumentVector, LabNode, NodeProcess } from '../node.ts';

/** Milliseconds for tcpdump to print what it has captured. */
const DEADLINE = 60_000;

/** Its counts when it is asked for them (tcpdump(8), SIGUSR1): a line each time. */
const COUNTS = /(\d+) packets? captured, (\d+) packets? received by filter/g;

/** Captures so far: each has files of its own, as those of a former one say that it listens, and that nothing was dropped. */
let count = 0;

/** The packets on the provider's end of a wire, from when it is started (tcpdump(8)). */
export class WireCapture {
  readonly #node: LabNode;
  readonly #process: NodeProcess;
  readonly #file: string;
  /** The output of tcpdump. */
  readonly #output: string;

  private constructor(node: LabNode, process: NodeProcess, file: string, output: string) {
    this.#node = node;
    this.#process = process;
    this.#file = file;
    this.#output = output;
  }

  /** @param namespace of the provider, whose eth0 is its end of the wire, or of a pod, with the name of its interface */
  static start(node: LabNode, namespace: string, device = 'eth0'): Promise<WireCapture> {
    return WireCapture.startOn(node, namespace, device, ['ip', 'netns', 'exec', namespace]);
  }

  /** @param wire the node's end, where frames have their tags */
  static startAtNode(node: LabNode, wire: string): Promise<WireCapture> {
    return WireCapture.startOn(node, wire, wire, []);
  }

  private static async startOn(
    node: LabNode,
    name: string,
    device: string,
    environment: ArgumentVector,
  ): Promise<WireCapture> {
    count += 1;
    const [file, output] = [`/run/${name}.${count}.pcap`, `/run/${name}.${count}.tcpdump`];
    // Otherwise it gets packets block by block, and what is in the last one is lost when it ends.
    const atOnce = ['--immediate-mode', '-U', '-B', '8192'];
    const tcpdump = ['tcpdump', '-i', device, '-Z', 'root', ...atOnce, '--snapshot-length', '128', '-w', file];
    const process = await node.start([...environment, ...tcpdump], output);
    await node.until([], output, 'listening on');
    return new WireCapture(node, process, file, output);
  }

  /** Ends it, with all packets until now in its file; rejects if some could not be captured. */
  async stop(): Promise<void> {
    await this.#allRead();
    await this.#process.signal('SIGINT');
    await this.#process.exit();
    const said = await this.#node.read(this.#output);
    if (!/^0 packets dropped by kernel$/m.test(said)) throw new Error(`packets are missing: ${said}`);
  }

  /** Waits until it has read the packets that the kernel has for it: those that it has not read when it ends are lost, and do not count as dropped. */
  async #allRead(): Promise<void> {
    for (let asked = 1, all = Number.POSITIVE_INFINITY, read = 0; read < all; asked += 1) {
      await this.#process.signal('SIGUSR1');
      await this.#node.until([], this.#output, `(dropped by kernel.*){${asked}}`);
      const [, captured, received] = [...(await this.#node.read(this.#output)).matchAll(COUNTS)].at(-1) ?? [];
      read = Number(captured);
      all = Math.min(all, Number(received));
    }
  }

  /** The captured packets that match a filter (pcap-filter(7)), a line each; it must have been stopped. */
  async packets(filter: string): Promise<readonly string[]> {
    const words = ['tcpdump', '-n', '-t', '-e', '-Z', 'root', '-r', this.#file, filter];
    const { exitCode, stdout, stderr } = await this.#node.run(words, { deadline: DEADLINE });
    if (exitCode !== 0) throw new Error(`tcpdump of "${filter}" exited with status ${exitCode}: ${stderr}`);
    return stdout.split('\n').filter(Boolean);
  }
}
