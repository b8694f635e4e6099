import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Container } from 'inversify';
import { type Origin, origins } from '../domain/trace/hop.ts';
import { parsePacket } from '../domain/trace/parse-packet.ts';
import { trace } from '../domain/trace/trace.ts';
import { capturedNode } from './captured-node.ts';
import { withInputOptions } from './input-options.ts';
import { type InputOptions, readInputs } from './inputs.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import { paletteOf, type Terminal } from './terminal.ts';
import { printable } from './text-table.ts';
import { traceLines } from './trace-text.ts';
import { warningLines } from './warning-lines.ts';

interface TraceOptions extends InputOptions {
  readonly from?: Origin;
  readonly length?: number;
  readonly mark?: number;
  readonly state: 'new' | 'established';
}

/** Exit status where the packet is dropped. */
const DROPPED = 3;

/** Longest IP packet without jumbograms, in bytes (RFC 791, RFC 8200). */
const LONGEST_PACKET = 65_575;

function wholeNumber(text: string, [least, most]: readonly [number, number]): number {
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  }
  return number;
}

async function runTrace(
  [network, nodeName, text]: readonly [string, string, string],
  options: TraceOptions,
  { settings, output }: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const reading = parsePacket(text);
  if ('problem' in reading) {
    terminal.err(`error: packet: ${printable(reading.problem)}`);
    return 1;
  }
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const node = capturedNode(inputs, nodeName, terminal);
  if (node === undefined) return 1;
  const { from, length, mark, state } = options;
  const outcome = trace(inputs.cluster, node, settings, {
    network,
    packet: reading.packet,
    ...(from !== undefined && { from }),
    ...(length !== undefined && { length }),
    ...(mark !== undefined && { mark }),
    isReply: state === 'established',
  });
  if (!outcome.traced) {
    terminal.err(`error: ${printable(outcome.problem)}`);
    return 1;
  }
  for (const line of warningLines(inputs, [])) terminal.err(`warning: ${printable(line)}`);
  if (output === 'json') terminal.out(JSON.stringify(outcome.trace, null, 2));
  else for (const line of traceLines(outcome.trace, paletteOf(terminal))) terminal.out(line);
  return outcome.trace.verdict.kind === 'dropped' ? DROPPED : 0;
}

/** Adds the command `trace`. */
export function addTrace(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('trace'))
    .description(
      'Follows one packet of a network on a node as planned: through rules, routes, OVN’s routers, flows, NAT and VLAN to where it arrives, leaves or is dropped.',
    )
    .argument('<cudn>', 'name of a ClusterUserDefinedNetwork')
    .argument('<node>', 'name of a captured node')
    .argument(
      '<packet>',
      'tcp|udp|sctp SOURCE:PORT > DESTINATION:PORT, or icmp|icmp6 SOURCE > DESTINATION for an echo; IPv6 addresses with a port in brackets',
    )
    .optionsGroup('Packet:')
    .addOption(
      new Option(
        '--from <place>',
        'where it begins (default: a pod or the host where the source is theirs, else the wire of the uplink)',
      ).choices(origins),
    )
    .addOption(
      new Option('--state <state>', 'established: it is a reply of a connection that was accepted')
        .choices(['new', 'established'])
        .default('new'),
    )
    .option('--length <bytes>', 'length of the IP packet (default: one that fits)', (value) =>
      wholeNumber(value, [20, LONGEST_PACKET]),
    )
    .option('--mark <number>', 'packet mark that it begins with', (value) => wholeNumber(value, [0, 0xffff_ffff]))
    .addHelpText(
      'after',
      `
Each line is a hop: where, what changed, and why. The node is as it will be once its plan is carried out. "OVN" stands for the part of OVN that is not
planned here and assumed to be as OVN-Kubernetes makes it: node switch, cluster router, tunnels.

Examples:
  ovn-uplinks trace blue worker-a 'tcp 10.20.1.5:40000 > 198.51.100.10:443' --cluster cluster.yaml --host worker-a=captures/worker-a
  ovn-uplinks trace blue worker-a 'tcp 198.51.100.10:443 > 10.20.1.5:40000' --state established --cluster …

Exit status: 0 it arrives or leaves, 3 it is dropped, 1 bad input.`,
    );
  withCommonOptions(command).action(async (network: string, node: string, packet: string) => {
    await runWithSettings(command, terminal, (run) =>
      runTrace([network, node, packet], command.opts<TraceOptions>(), run, container, terminal),
    );
  });
}
