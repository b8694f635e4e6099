/**
 * The common options of all commands, on the command line or in a file.
 */
import { type Command, Option } from 'commander';
import { dump } from 'js-yaml';
import type { NodeSettings } from '../../domain/index.ts';
import { networkOf } from '../../domain/basics/addresses/ip-address.ts';
import { hostBitsSentence } from '../../domain/status/sentences/host-bits-sentence.ts';
import { camelCase, type ClusterOptions, commandOptions } from './cluster-options.ts';
import { millisecondsOf } from './duration.ts';
import { type OutputFormat, withOutputOption } from '../output/output-format.ts';
import { type OvnOptions, type OvnServers, ovnServers, withOvnOptions } from '../ports/ovn-servers.ts';
import { allowedServicesOf, dnsAddressesOf, serviceNameOf } from './service-options.ts';
import { type Config, fileOptions, readSettings, type SettingsReading } from './settings-files.ts';

/** The options as parsed by commander. */
export type CommonOptions = ClusterOptions &
  OvnOptions & {
    readonly config?: string;
    readonly printConfig?: true;
    readonly output: OutputFormat;
    /** Absent in commands without a log. */
    readonly logLevel?: string;
  };

/** The settings of a command. */
export interface RunSettings {
  readonly settings: NodeSettings;
  /** Milliseconds for which a network stays on a node after its last pod there, with Dynamic UDN. */
  readonly gracePeriod: number;
  /** Absent where only the host's half of networks is programmed. */
  readonly ovn?: OvnServers;
  readonly output: OutputFormat;
}

/** Adds the common options. */
export function withCommonOptions(command: Command): Command {
  command.optionsGroup('Settings of the cluster:');
  for (const option of commandOptions()) command.addOption(option);
  withOvnOptions(command, {
    northbound: 'gateway routers and flows are not programmed',
    southbound: 'provided networks are not programmed',
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
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [camelCase(name), value]));
}

/** The effective settings, as a `--config` file. */
export function printedConfig(options: CommonOptions): string {
  const values = new Map<string, unknown>(Object.entries(options));
  const given = fileOptions
    .map((name) => [name, values.get(camelCase(name))] as const)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
  return dump(Object.fromEntries(given), { noRefs: true });
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
function subnetWarnings(options: CommonOptions): readonly string[] {
  const given = {
    'masquerade-subnet': options.masqueradeSubnet,
    'service-cidr': options.serviceCidr,
    'cluster-cidr': options.clusterCidr,
    'egress-allow': options.egressAllow,
    'external-ips': options.externalIps,
  };
  return Object.entries(given).flatMap(([option, subnets]) =>
    subnets.flatMap((subnet) => {
      const sentence = hostBitsSentence(subnet);
      return sentence === undefined ? [] : [`--${option} ${sentence}`];
    }),
  );
}

/** The databases that a node is programmed by with these settings: chassis of other nodes are there for provided networks. */
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
      egress: options.egress,
      namespace: options.systemNamespace,
      ...(options.defaultBridge !== undefined && { defaultBridge: options.defaultBridge }),
      ...(options.egressGatewayBridge !== undefined && { egressGatewayBridge: options.egressGatewayBridge }),
      masqueradeSubnets: options.masqueradeSubnet.map((subnet) => networkOf(subnet) ?? subnet),
      serviceCidrs: options.serviceCidr.map((subnet) => networkOf(subnet) ?? subnet),
      clusterCidrs: options.clusterCidr.map((subnet) => networkOf(subnet) ?? subnet),
      dnsService: serviceNameOf(options.dnsService),
      dnsAddresses: dnsAddressesOf(options.dnsAddresses),
      defaultServices: allowedServicesOf(options.defaultServices),
      externalIps: options.externalIps.map((subnet) => networkOf(subnet) ?? subnet),
      defaultNetworkMtu: options.defaultNetworkMtu,
      egressAllow: options.egressAllow.map((subnet) => networkOf(subnet) ?? subnet),
      egressDevices: options.egressDevices,
      ovn: northbound !== undefined,
    },
  };
}
