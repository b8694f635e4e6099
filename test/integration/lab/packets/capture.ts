import type { LabNode, NodeProcess } from '../node.ts';

/** Milliseconds for tcpdump to print what it has captured. */
const DEADLINE = 60_000;

/** The packets on the provider's end of a wire, from when it is started (tcpdump(8)). */
export class WireCapture {
  readonly #node: LabNode;
  readonly #process: NodeProcess;
  readonly #file: string;

  private constructor(node: LabNode, process: NodeProcess, file: string) {
    this.#node = node;
    this.#process = process;
    this.#file = file;
  }

  /** @param namespace of the provider */
  static async start(node: LabNode, namespace: string): Promise<WireCapture> {
    const [file, output] = [`/run/${namespace}.pcap`, `/run/${namespace}.tcpdump`];
    const tcpdump = ['tcpdump', '-i', 'eth0', '-Z', 'root', '-U', '-w', file];
    const process = await node.start(['ip', 'netns', 'exec', namespace, ...tcpdump], output);
    await node.until([], output, 'listening on');
    return new WireCapture(node, process, file);
  }

  /** Ends it, with all packets in its file. */
  async stop(): Promise<void> {
    await this.#process.signal('SIGINT');
    await this.#process.exit();
  }

  /** The captured packets that match a filter (pcap-filter(7)), a line each; it must have been stopped. */
  async packets(filter: string): Promise<readonly string[]> {
    const words = ['tcpdump', '-n', '-t', '-e', '-Z', 'root', '-r', this.#file, filter];
    const { exitCode, stdout, stderr } = await this.#node.run(words, { deadline: DEADLINE });
    if (exitCode !== 0) throw new Error(`tcpdump of "${filter}" exited with status ${exitCode}: ${stderr}`);
    return stdout.split('\n').filter(Boolean);
  }
}
