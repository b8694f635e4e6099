/**
 * The common options of all commands, on the command line or in a file.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dump } from 'js-yaml';
import { defaultSettings, type NodeSettings } from '../domain/index.ts';
import { DELETION_GRACE_PERIOD } from '../control/grace-period.ts';
import { isCidr, networkOf } from '../domain/basics/addresses/ip-address.ts';
import { hostBitsSentence } from '../domain/status/host-bits-sentence.ts';
import type { ProvidedNetworks } from '../domain/snapshot/settings.ts';
import { duration, millisecondsOf } from './duration.ts';
import { type OutputFormat, withOutputOption } from './output-format.ts';
import { type OvnOptions, type OvnServers, ovnServers, withOvnOptions } from './ovn-servers.ts';
import { type Config, readSettings, type SettingsReading } from './settings-files.ts';

/** The options as parsed by commander. */
export interface CommonOptions extends OvnOptions {
  readonly config?: string;
  readonly printConfig?: true;
  readonly gatewayMode: 'shared' | 'local';
  readonly dynamicUdn: boolean;
  /** As `120s`. */
  readonly udnDeletionGracePeriod: string;
  readonly networks: ProvidedNetworks;
  readonly systemNamespace: string;
  readonly mode: 'full';
  readonly defaultBridge?: string;
  readonly egressGatewayBridge?: string;
  readonly masqueradeSubnet: readonly string[];
  readonly serviceCidr: readonly string[];
  readonly clusterCidr: readonly string[];
  readonly defaultNetworkMtu: number;
  readonly output: OutputFormat;
  /** Absent in commands without a log. */
  readonly logLevel?: string;
}

/** The settings of a command. */
export interface RunSettings {
  readonly settings: NodeSettings;
  /** Milliseconds for which a network stays on a node after its last pod there, with Dynamic UDN. */
  readonly gracePeriod: number;
  /** Absent where only the host's half of networks is programmed. */
  readonly ovn?: OvnServers;
  readonly output: OutputFormat;
}

function mtu(text: string): number {
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < 576 || bytes > 65536) {
    throw new InvalidArgumentError('Expected a whole number of bytes from 576 to 65536.');
  }
  return bytes;
}

/** Parses a repeatable option; the first value replaces the default. */
function cidrs(defaults: readonly string[]) {
  return (text: string, before: readonly string[] | undefined): readonly string[] => {
    if (!isCidr(text)) throw new InvalidArgumentError(`Expected a subnet such as ${defaults[0] ?? ''}.`);
    return before === undefined || before === defaults ? [text] : [...before, text];
  };
}

/** Adds the common options. */
export function withCommonOptions(command: Command): Command {
  command
    .optionsGroup('Settings of the cluster:')
    .addOption(
      new Option('--gateway-mode <mode>', "OVN-Kubernetes' gateway mode")
        .choices(['shared', 'local'])
        .default(defaultSettings.gatewayMode),
    )
    .option(
      '--dynamic-udn',
      'networks are active only on nodes where one of their pods runs',
      defaultSettings.dynamicNetworks,
    )
    .addOption(
      new Option(
        '--udn-deletion-grace-period <duration>',
        'with --dynamic-udn, how long a network stays on a node after its last pod there',
      )
        .argParser(duration)
        .default(`${DELETION_GRACE_PERIOD / 1000}s`),
    )
    .addOption(
      new Option(
        '--networks <which>',
        'networks that ovn-uplinks provides as a whole, not only their uplinks: with-uplinks beside OVN-Kubernetes; none beside an implementation that leaves their gateway routers to ovn-uplinks',
      )
        .choices(['none', 'with-uplinks', 'all'])
        .default(defaultSettings.providedNetworks),
    )
    .option('--system-namespace <name>', 'namespace of ovn-uplinks, with the claims of ids', defaultSettings.namespace)
    .addOption(new Option('--mode <mode>', 'node mode: full is a node without a DPU').choices(['full']).default('full'))
    .option(
      '--default-bridge <name>',
      "default gateway bridge (default: bridge-id of the node's l3-gateway-config, else br-ex)",
    )
    .option('--egress-gateway-bridge <name>', 'legacy egress gateway bridge')
    .addOption(
      new Option('--masquerade-subnet <cidr>', 'masquerade subnet of OVN-Kubernetes; may be repeated')
        .argParser(cidrs(defaultSettings.masqueradeSubnets))
        .default(defaultSettings.masqueradeSubnets, defaultSettings.masqueradeSubnets.join(', ')),
    )
    .addOption(
      new Option('--service-cidr <cidr>', 'subnet of the cluster’s services; may be repeated')
        .argParser(cidrs(defaultSettings.serviceCidrs))
        .default(defaultSettings.serviceCidrs, defaultSettings.serviceCidrs.join(', ')),
    )
    .addOption(
      new Option(
        '--cluster-cidr <cidr>',
        'subnet of the pods of the default network, where Nodes have no spec.podCIDRs; may be repeated',
      )
        .argParser(cidrs(defaultSettings.clusterCidrs))
        .default(defaultSettings.clusterCidrs, 'none'),
    )
    .addOption(
      new Option('--default-network-mtu <bytes>', 'MTU of a network that does not set one')
        .argParser(mtu)
        .default(defaultSettings.defaultNetworkMtu),
    );
  withOvnOptions(command, {
    northbound: 'gateway routers and flows are not programmed',
    southbound: 'networks as a whole are not programmed',
  }).optionsGroup('Output:');
  return withOutputOption(command)
    .option(
      '--config <path>',
      'YAML file with these options by their long names, or folder of such files; the command line takes precedence',
    )
    .option('--print-config', 'print the effective options as such a file and exit');
}

/** Options of a file, by their names in commander. */
function optionsOf(config: Config): Partial<Record<string, unknown>> {
  const camelCase = (name: string) => name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [camelCase(name), value]));
}

/** The effective settings, as a `--config` file. */
export function printedConfig(options: CommonOptions): string {
  const {
    gatewayMode,
    dynamicUdn,
    udnDeletionGracePeriod,
    networks,
    systemNamespace,
    mode,
    defaultBridge,
    egressGatewayBridge,
    masqueradeSubnet,
    serviceCidr,
    clusterCidr,
    defaultNetworkMtu,
    ovnNorthbound,
    ovnSouthbound,
    privateKey,
    certificate,
    caCert,
    output,
    logLevel,
  } = options;
  return dump({
    'gateway-mode': gatewayMode,
    'dynamic-udn': dynamicUdn,
    'udn-deletion-grace-period': udnDeletionGracePeriod,
    networks,
    'system-namespace': systemNamespace,
    mode,
    ...(defaultBridge !== undefined && { 'default-bridge': defaultBridge }),
    ...(egressGatewayBridge !== undefined && { 'egress-gateway-bridge': egressGatewayBridge }),
    'masquerade-subnet': [...masqueradeSubnet],
    'service-cidr': [...serviceCidr],
    ...(clusterCidr.length > 0 && { 'cluster-cidr': [...clusterCidr] }),
    'default-network-mtu': defaultNetworkMtu,
    'ovn-northbound': ovnNorthbound,
    'ovn-southbound': ovnSouthbound,
    ...(privateKey !== undefined && { 'private-key': privateKey }),
    ...(certificate !== undefined && { certificate }),
    ...(caCert !== undefined && { 'ca-cert': caCert }),
    output,
    ...(logLevel !== undefined && { 'log-level': logLevel }),
  });
}

const FORMER_NAMESPACE = '--namespace';

/** Adds the former name of `--system-namespace`, which running agents may have on their command lines. */
export function withFormerNamespace(command: Command): Command {
  return command
    .addOption(new Option(`${FORMER_NAMESPACE} <name>`, 'the former name of --system-namespace').hideHelp())
    .on('option:namespace', (name: string) => {
      command.setOptionValueWithSource('systemNamespace', name, 'cli');
    });
}

/** The effective options of a command, with what a person should know of them. */
export interface EffectiveOptions {
  readonly options: CommonOptions;
  readonly warnings: readonly string[];
  /** Where options come from that are neither on the command line nor defaults. */
  readonly source?: string;
}

/** Options from elsewhere than the command line, and where that is. */
export type FurtherSettings = SettingsReading & { readonly source?: string };

/**
 * The effective options: from the command line, else from files, else the defaults; or what is wrong with them.
 *
 * @param otherwise reads options where `--config` names none
 */
export async function effectiveOptions(
  command: Command,
  otherwise: () => Promise<FurtherSettings> = () => Promise.resolve({ read: true, config: {}, warnings: [] }),
): Promise<EffectiveOptions | { readonly problems: readonly string[] }> {
  const { config } = command.opts<CommonOptions>();
  const reading: FurtherSettings = await (config === undefined ? otherwise() : readSettings(config));
  if (!reading.read) return { problems: reading.problems };
  for (const [name, value] of Object.entries(optionsOf(reading.config))) {
    if (command.getOptionValueSource(name) !== 'cli') command.setOptionValueWithSource(name, value, 'config');
  }
  const options = command.opts<CommonOptions>();
  const servers = ovnServers(options);
  if ('problem' in servers) return { problems: [servers.problem] };
  const isFormer = command.options.some(({ long, hidden }) => long === FORMER_NAMESPACE && hidden);
  const isGiven = command.getOptionValueSource('namespace') === 'cli';
  const warnings = [
    ...reading.warnings,
    ...(isFormer && isGiven ? [`${FORMER_NAMESPACE} is called --system-namespace now`] : []),
    ...subnetWarnings(options),
  ];
  return { options, warnings, ...(reading.source !== undefined && { source: reading.source }) };
}

/** A warning for each subnet of the options that has bits behind its prefix, and so stands for another one. */
function subnetWarnings({ masqueradeSubnet, serviceCidr, clusterCidr }: CommonOptions): readonly string[] {
  const given = { 'masquerade-subnet': masqueradeSubnet, 'service-cidr': serviceCidr, 'cluster-cidr': clusterCidr };
  return Object.entries(given).flatMap(([option, subnets]) =>
    subnets.flatMap((subnet) => {
      const sentence = hostBitsSentence(subnet);
      return sentence === undefined ? [] : [`--${option} ${sentence}`];
    }),
  );
}

/** The databases that a node is programmed by with these settings: chassis of other nodes are there for networks that are provided as a whole. */
export function serversOf({ ovn, settings }: RunSettings): OvnServers | undefined {
  return ovn && (settings.providedNetworks === 'none' ? { northbound: ovn.northbound } : ovn);
}

/** The settings of a command from its options. */
export function runSettings(options: CommonOptions): RunSettings {
  const { northbound, southbound } = { northbound: undefined, southbound: undefined, ...ovnServers(options) };
  return {
    output: options.output,
    gracePeriod: millisecondsOf(options.udnDeletionGracePeriod),
    ...(northbound && { ovn: { northbound, ...(southbound && { southbound }) } }),
    settings: {
      gatewayMode: options.gatewayMode,
      dynamicNetworks: options.dynamicUdn,
      providedNetworks: options.networks,
      namespace: options.systemNamespace,
      ...(options.defaultBridge !== undefined && { defaultBridge: options.defaultBridge }),
      ...(options.egressGatewayBridge !== undefined && { egressGatewayBridge: options.egressGatewayBridge }),
      masqueradeSubnets: options.masqueradeSubnet.map((subnet) => networkOf(subnet) ?? subnet),
      serviceCidrs: options.serviceCidr.map((subnet) => networkOf(subnet) ?? subnet),
      clusterCidrs: options.clusterCidr.map((subnet) => networkOf(subnet) ?? subnet),
      defaultNetworkMtu: options.defaultNetworkMtu,
      ovn: northbound !== undefined,
    },
  };
}
