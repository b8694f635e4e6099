import { Connection } from '../../src/adapters/ovsdb/connection.ts';
import { readTrace } from '../../src/adapters/vswitchd-control/trace-output.ts';
import { unixAddress } from '../../src/adapters/ovsdb/server.ts';
import { USUAL_TIMING } from '../../src/adapters/ovsdb/timing.ts';
import type { BridgeInput } from '../../src/domain/dataplane/pipeline/bridge-input.ts';
import { portText } from '../../src/domain/datapath/openflow/bits.ts';
import type { ModelPort } from '../../src/domain/datapath/switch-model/learning-switch.ts';
import type { SwitchTrace } from '../../src/domain/explanation/trace/switch-trace.ts';
import { OpenVSwitch } from './open-vswitch.ts';

/** Numbers of the ports that generated bridges may have, beside LOCAL. */
const portNumbers = [1, 11, 12, ...Array.from({ length: 9 }, (_, at) => 201 + at)];

const isPatchPort = (number: number) => number > 200;

export const BRIDGE = 'br-blue';

/** Milliseconds that ovs-vswitchd may take for one command. */
const DEADLINE = 90_000;

/** One bridge of a real Open vSwitch with the ports of all generated bridges, asked what it would do with packets (ovs-vswitchd(8), ofproto/trace). */
export class TracedBridge {
  readonly #switch: OpenVSwitch;
  readonly #control: Connection;
  /** OpenFlow ports by the numbers that the datapath has for them. */
  readonly #portOfDatapath: ReadonlyMap<string, string>;
  #staticAddresses: (readonly [vlan: string, macAddress: string])[] = [];

  private constructor(openVSwitch: OpenVSwitch, control: Connection, ports: ReadonlyMap<string, string>) {
    this.#switch = openVSwitch;
    this.#control = control;
    this.#portOfDatapath = ports;
  }

  static async start(): Promise<TracedBridge> {
    const openVSwitch = await OpenVSwitch.start();
    const ports = portNumbers.flatMap((number) => {
      const name = `p${String(number)}`;
      const options = ['type=dummy', `ofport_request=${String(number)}`];
      return ['--', 'add-port', BRIDGE, name, '--', 'set', 'interface', name, ...options];
    });
    openVSwitch.configure('add-br', BRIDGE, ...ports);
    for (const number of portNumbers.filter(isPatchPort)) openVSwitch.setNoFlood(BRIDGE, String(number));
    const control = await Connection.open(unixAddress(openVSwitch.controlSocket), {
      ...USUAL_TIMING,
      deadline: DEADLINE,
      silence: DEADLINE,
    });
    const shown = await asked(control, 'dpif/show', []);
    const numbers = [...shown.matchAll(/ (\d+)\/(\d+): \(/g)].map(
      ([, openFlow = '', datapath = '']) => [datapath, openFlow] as const,
    );
    return new TracedBridge(
      openVSwitch,
      control,
      new Map(numbers.map(([datapath, openFlow]) => [datapath, openFlow === '65534' ? BRIDGE : openFlow])),
    );
  }

  /** All its ports, as a generated bridge has them set. */
  static portsFor({ uplinks }: BridgeInput): readonly ModelPort[] {
    const vlanOf = new Map(uplinks.map(({ hostPort, vlan }) => [hostPort, vlan]));
    return [0xffff_fffen, ...portNumbers.map(BigInt)].map((number): ModelPort => {
      const accessVlan = vlanOf.get(portText(number));
      return {
        number,
        ...(accessVlan !== undefined && { accessVlan }),
        ...(isPatchPort(Number(number)) && number < 1000n && { isNoFlood: true as const }),
      };
    });
  }

  /** Sets VLANs, static MAC addresses and flows as a generated bridge has them. */
  async become(bridge: BridgeInput, flows: string): Promise<void> {
    // Before ports change, by which Open vSwitch loses the entries of those.
    for (const [vlan, macAddress] of this.#staticAddresses)
      await asked(this.#control, 'fdb/del', [BRIDGE, vlan, macAddress]);
    this.#staticAddresses = [];
    const ports = new Map(
      bridge.uplinks.map(({ hostPort, vlan }) => [hostPort === 'LOCAL' ? BRIDGE : `p${hostPort}`, vlan]),
    );
    this.#switch.configure(
      ...[BRIDGE, 'p11', 'p12']
        .flatMap((name) => {
          const vlan = ports.get(name);
          return [
            '--',
            ...(vlan === undefined ? ['clear', 'port', name, 'tag'] : ['set', 'port', name, `tag=${String(vlan)}`]),
          ];
        })
        .slice(1),
    );
    this.#switch.replaceFlows(BRIDGE, flows);
    for (const { hostPort, macAddress, vlan = 0, networks } of bridge.uplinks) {
      if (networks.length === 0) continue;
      const port = hostPort === 'LOCAL' ? BRIDGE : `p${hostPort}`;
      await asked(this.#control, 'fdb/add', [BRIDGE, port, String(vlan), macAddress]);
      this.#staticAddresses.push([String(vlan), macAddress]);
    }
  }

  /** Its flows, as ovs-ofctl prints them. */
  dumpFlows(): string {
    return this.#switch.dumpFlows(BRIDGE);
  }

  /**
   * Traces what the bridge would do with a packet.
   *
   * @param states the connection states that the packet has each time it comes back from connection tracking, such as `trk,new`
   */
  async trace(packet: string, states: readonly string[]): Promise<string> {
    const next = states.flatMap((state) => ['--ct-next', state]);
    return await asked(this.#control, 'ofproto/trace', [BRIDGE, exact(packet), ...next]);
  }

  /** Reads the trace of a packet, with ports by their OpenFlow numbers. */
  read(trace: string): SwitchTrace {
    return readTrace(trace, BRIDGE, { ofBridge: this.#portOfDatapath, patches: new Map(), ofOthers: new Set() });
  }

  async stop(): Promise<void> {
    this.#control.close('is not needed any more');
    await this.#switch.stop();
  }
}

/** The words of a packet, in which fields of several protocols have the names of their own that ofproto/trace demands. */
function exact(packet: string): string {
  if (/\bicmp6\b/.test(packet)) return packet.replace('icmp_type', 'icmpv6_type');
  return /\budp6?\b/.test(packet) ? packet.replace('tp_src', 'udp_src').replace('tp_dst', 'udp_dst') : packet;
}

async function asked(control: Connection, command: string, words: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  control.ask(command, words, (reply) => {
    if (reply.outcome === 'result') resolve(String(reply.result));
    else reject(new Error(`${command} ${words.join(' ')}: ${JSON.stringify(reply)}`));
  });
  return await promise;
}
