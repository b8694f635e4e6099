import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Container } from 'inversify';
import { unknownNetworkSentence } from '../../domain/explanation/unknown-object.ts';
import { type PacketOrigin, origins, type Trace } from '../../domain/explanation/trace/hop.ts';
import { parsePacket } from '../../domain/explanation/trace/packet-text/parse-packet.ts';
import type { ClusterSnapshot, NodeSettings, NodeSnapshot } from '../../domain/index.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import { outsideEnds } from '../../domain/explanation/trace/packet-text/outside-ends.ts';
import { withObjectAddresses } from '../../domain/explanation/trace/packet-text/pod-ends.ts';
import { trace, type TraceOutcome, type TraceQuestion } from '../../domain/explanation/trace/trace.ts';
import { tracedNode } from '../../domain/explanation/trace/traced-node.ts';
import { traceByDefaultNetwork } from '../../domain/explanation/trace/by-default-network.ts';
import { traceByNode } from '../../domain/explanation/trace/by-node/trace-by-node.ts';
import { traceToService } from '../../domain/explanation/trace/to-service/trace-to-service.ts';
import { providedNetwork, tracePods } from '../../domain/explanation/trace/trace-pods.ts';
import { type Inputs, readInputs } from '../input/inputs.ts';
import { networkIn, podsIn } from '../input/namespaced-names.ts';
import { oneNode, type OneNodeOptions, withOneNodeOptions } from '../input/one-node.ts';
import { printDocument } from '../output/output-format.ts';
import { runWithSettings } from '../run/run.ts';
import { type RunSettings, withCommonOptions } from '../input/settings.ts';
import { clusterSettings } from '../input/cluster-settings.ts';
import { helpText } from '../output/help-text.ts';
import { paletteOf, type Terminal } from '../output/terminal.ts';
import { fitted, printable } from '../output/text-table.ts';
import { checkPasses, type FrameCheck } from './trace-check.ts';
import { checkLines, traceLines } from './trace-text.ts';
import { warningLines } from './warning-lines.ts';

interface TraceOptions extends OneNodeOptions {
  readonly from?: PacketOrigin;
  readonly length?: number;
  readonly mark?: number;
  readonly state: 'new' | 'established';
  readonly check?: true;
}

/** Exit status if the packet is dropped. */
const DROPPED = 3;

/** Exit status if the running switch does something else. */
const DIFFERENT = 4;

/** Longest IP packet without jumbograms, in bytes (RFC 791, RFC 8200). */
const LONGEST_PACKET = 65_575;

function wholeNumber(text: string, [least, most]: readonly [number, number]): number {
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  }
  return number;
}

/** The packet to trace, or what is wrong with the options. */
function questionOf(
  network: string,
  text: string,
  { from, length, mark, state, check, local }: TraceOptions,
): TraceQuestion | { readonly problem: string } {
  if (check === true && local !== true) {
    return { problem: '--check asks the switch of this machine: expected --local too' };
  }
  const reading = parsePacket(text);
  if ('problem' in reading) return { problem: `packet: ${reading.problem}` };
  return {
    network,
    packet: reading.packet,
    ...(from !== undefined && { from }),
    ...(length !== undefined && { length }),
    ...(mark !== undefined && { mark }),
    isReply: state === 'established',
  };
}

function show(
  found: Trace,
  checks: readonly FrameCheck[] | undefined,
  output: RunSettings['output'],
  terminal: Terminal,
): void {
  if (output !== 'text') {
    printDocument({ ...found, ...(checks && { checks }) }, output, terminal);
    return;
  }
  const palette = paletteOf(terminal);
  for (const line of [...traceLines(found, palette), ...checkLines(checks ?? [], palette)])
    terminal.out(fitted(line, palette.columns));
}

/** The question about a packet whose ends may be pods. */
function questionWithPods(
  name: string,
  text: string,
  options: TraceOptions,
  {
    cluster,
    node,
    settings,
  }: { readonly cluster: ClusterSnapshot; readonly node: NodeSnapshot; readonly settings: NodeSettings },
): TraceQuestion | { readonly problem: string } {
  const network = providedNetwork(name, viewCluster(cluster, settings));
  if (network === undefined) {
    const problem = `packet: ovn-uplinks does not provide network ${name} (--networks ${settings.providedNetworks})`;
    return { problem: unknownNetworkSentence(name, cluster) ?? `${problem}: expected addresses, not pods` };
  }
  const traced = /\bservice\//.test(text) ? tracedNode(cluster, node, settings, name) : undefined;
  const outside = traced !== undefined && 'node' in traced ? outsideEnds(traced.node, options.from) : undefined;
  const reading = withObjectAddresses(text, network, cluster, outside);
  return 'problem' in reading ? { problem: `packet: ${reading.problem}` } : questionOf(name, reading.text, options);
}

function failed(problem: string, terminal: Terminal): number {
  terminal.err(`error: ${printable(problem)}`);
  return 1;
}

function outcomeOf(
  { cluster, nodes }: Inputs,
  node: NodeSnapshot,
  { settings }: RunSettings,
  question: TraceQuestion,
): TraceOutcome {
  const { nodeName } = node;
  const observed = { from: node, others: nodes.filter((other) => other.nodeName !== nodeName) };
  return (
    tracePods(cluster, observed, settings, question) ??
    traceByDefaultNetwork(cluster, nodeName, settings, question) ??
    traceToService(cluster, observed, settings, question) ??
    traceByNode(cluster, node, settings, question) ??
    trace(cluster, observed, settings, question)
  );
}

async function runTrace(
  [name, nodeName, packet]: readonly [string, string, string],
  options: TraceOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const [network, text] = [networkIn(options.namespace, name), podsIn(options.namespace, packet)];
  // Without pods a mistake in the packet is found before anything is read.
  const early = /\b(pod|service)\//.test(text) ? undefined : questionOf(network, text, options);
  if (early !== undefined && 'problem' in early) return failed(early.problem, terminal);
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const node = await oneNode(inputs, nodeName, options, run, container, terminal);
  if (node === undefined) return 1;
  const { settings } = run;
  const { cluster } = inputs;
  const question = early ?? questionWithPods(network, text, options, { cluster, node, settings });
  if ('problem' in question) return failed(question.problem, terminal);
  const outcome = outcomeOf(inputs, node, run, question);
  if (!outcome.traced) return failed(outcome.problem, terminal);
  for (const line of warningLines(inputs, [])) terminal.err(`warning: ${printable(line)}`);
  const checks = options.check === true ? await checkPasses(outcome.passes, node, options.ovsdb, container) : undefined;
  show(outcome.trace, checks, run.output, terminal);
  if (checks?.some(({ differences }) => differences.length > 0) === true) return DIFFERENT;
  const { verdict, reply } = outcome.trace;
  return [verdict, reply?.verdict].some((each) => each?.kind === 'dropped') ? DROPPED : 0;
}

const HELP = `
Each line is a hop: where, what changed, and why. The node is as it will be once its plan is applied. "OVN" stands for the part of OVN that is assumed to
be as OVN-Kubernetes makes it: node switch, cluster router, tunnels. Between pods of a network that ovn-uplinks provides (--networks) nothing is assumed: the
packet is followed over both nodes, if both are captured, and ends where a row is missing. What pods send out of a network that leaves by its nodes (--egress) is followed
through the filter of the node to the device that it leaves by; answers to it are not followed. Of what goes to DNS, the Kubernetes API and Services of
--default-services it is shown that it leaves by the other interface of the pod. What goes to a Service of the network, from a pod or from the wire, is followed
to one of its endpoints, and from the wire the reply back. There service/NAME is the first address of a load balancer by which it is reached, or an external one, else
the address of the uplink with its node port. Lines with "note:" say why a packet from the wire comes to no Service.

Examples:
  ovn-uplinks trace blue worker-a 'tcp 10.20.1.5:40000 > 198.51.100.10:443' \\
    --cluster cluster.yaml --host worker-a=captures/worker-a
  ovn-uplinks trace blue worker-a 'tcp 198.51.100.10:443 > 10.20.1.5:40000' \\
    --state established --cluster …
  ovn-uplinks trace blue worker-a 'tcp pod/a > pod/b:8080' --networks all \\
    --cluster cluster.yaml \\
    --host worker-a=captures/worker-a worker-b=captures/worker-b
  ovn-uplinks trace blue worker-a 'tcp pod/a > service/web:80' --networks all
  ovn-uplinks trace blue worker-a 'tcp 198.51.100.10:40000 > 192.0.2.6:30080' \\
    --networks all
  ovn-uplinks trace blue worker-a 'icmp 10.20.1.5 > 198.51.100.10' \\
    --manifests /etc/ovn-uplinks --local --check

Exit status: 0 it arrives or leaves, 3 it or its reply is dropped, 4 with --check: the switch does something else, 1 bad input.`;

/** Adds the command `trace`. */
export function addTrace(program: Command, container: Container, terminal: Terminal): void {
  const command = withOneNodeOptions(program.command('trace'))
    .description(
      'Follows one packet of a network on a node as planned: through rules, routes, OVN’s routers, flows, NAT and VLAN to where it arrives, leaves or is dropped.',
    )
    .argument('<network>', 'name of a ClusterUserDefinedNetwork, or NAMESPACE/NAME of a UserDefinedNetwork')
    .argument('<node>', 'name of a captured node, or with --local of this one')
    .argument(
      '<packet>',
      'tcp|udp|sctp SOURCE:PORT > DESTINATION:PORT, or icmp|icmp6 SOURCE > DESTINATION for an echo; IPv6 addresses with a port in brackets; instead of an address pod/NAME or pod/NAMESPACE/NAME, and as destination service/NAME or service/NAMESPACE/NAME',
    )
    .optionsGroup('Packet:')
    .addOption(
      new Option(
        '--from <place>',
        'where it comes from (default: the pod or the host that has the source address, else the wire of the uplink)',
      ).choices(origins),
    )
    .addOption(
      new Option('--state <state>', 'established: it is a reply on an established connection')
        .choices(['new', 'established'])
        .default('new'),
    )
    .option('--length <bytes>', 'length of the IP packet (default: one that fits)', (value) =>
      wholeNumber(value, [20, LONGEST_PACKET]),
    )
    .option('--mark <number>', 'its packet mark', (value) => wholeNumber(value, [0, 0xffff_ffff]))
    .option('--check', 'with --local: have the running switch trace the same frames, and print where it differs')
    .addHelpText('after', helpText(HELP));
  withCommonOptions(command).action(async (network: string, node: string, packet: string) => {
    await runWithSettings(
      command,
      terminal,
      (run) => runTrace([network, node, packet], command.opts<TraceOptions>(), run, container, terminal),
      () => clusterSettings(command.opts<TraceOptions>(), container, terminal),
    );
  });
}
