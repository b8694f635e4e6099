/**
 * The common options of all commands, on the command line or in a file.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dump } from 'js-yaml';
import Type, { type Static } from 'typebox';
import { isJsonObject } from '../adapters/json/json-object.ts';
import { parseText } from '../adapters/manifests/parse-text.ts';
import { readFileText } from '../adapters/manifests/read-text.ts';
import { conformanceTo } from '../domain/api/conformance.ts';
import { stringEnum, struct } from '../domain/api/schema.ts';
import { defaultSettings, type NodeSettings } from '../domain/index.ts';
import { DELETION_GRACE_PERIOD } from '../control/grace-period.ts';
import { canonicalAddress, isCidr, networkOf, withoutLength } from '../domain/ip-address.ts';
import type { ProvidedNetworks } from '../domain/snapshot/settings.ts';
import { duration, durationSchema, millisecondsOf } from './duration.ts';
import { addressProblem, type OvnOptions, type OvnServers, ovnServers, withOvnOptions } from './ovn-servers.ts';

/** The schema of a `--config` file: options by their long names. */
const configSchema = struct({
  'gateway-mode': Type.Optional(stringEnum(['shared', 'local'])),
  'dynamic-udn': Type.Optional(Type.Boolean()),
  'udn-deletion-grace-period': Type.Optional(durationSchema),
  networks: Type.Optional(stringEnum(['none', 'with-uplinks', 'all'])),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
  mode: Type.Optional(stringEnum(['full'])),
  'default-bridge': Type.Optional(Type.String({ minLength: 1 })),
  'egress-gateway-bridge': Type.Optional(Type.String({ minLength: 1 })),
  'masquerade-subnet': Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  'service-cidr': Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  'default-network-mtu': Type.Optional(Type.Integer({ minimum: 576, maximum: 65536 })),
  'ovn-northbound': Type.Optional(Type.String({ minLength: 1 })),
  'ovn-southbound': Type.Optional(Type.String({ minLength: 1 })),
  'private-key': Type.Optional(Type.String({ minLength: 1 })),
  certificate: Type.Optional(Type.String({ minLength: 1 })),
  'ca-cert': Type.Optional(Type.String({ minLength: 1 })),
  output: Type.Optional(stringEnum(['text', 'json'])),
  'log-level': Type.Optional(stringEnum(['debug', 'info', 'warn', 'error'])),
});

type Config = Static<typeof configSchema>;

const conform = conformanceTo(configSchema);
const knownKeys: ReadonlySet<string> = new Set(Object.keys(configSchema.properties));

/** Options with lists of subnets. */
const cidrLists = ['masquerade-subnet', 'service-cidr'] as const;

/** Options with addresses of databases. */
const addressOptions = ['ovn-northbound', 'ovn-southbound'] as const;

/** The options as parsed by commander. */
export interface CommonOptions extends OvnOptions {
  readonly config?: string;
  readonly printConfig?: true;
  readonly gatewayMode: 'shared' | 'local';
  readonly dynamicUdn: boolean;
  /** As `120s`. */
  readonly udnDeletionGracePeriod: string;
  readonly networks: ProvidedNetworks;
  readonly namespace: string;
  readonly mode: 'full';
  readonly defaultBridge?: string;
  readonly egressGatewayBridge?: string;
  readonly masqueradeSubnet: readonly string[];
  readonly serviceCidr: readonly string[];
  readonly defaultNetworkMtu: number;
  readonly output: 'text' | 'json';
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
  readonly output: 'text' | 'json';
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
      new Option('--networks <which>', 'networks that ovn-uplinks provides as a whole, not only their uplinks')
        .choices(['none', 'with-uplinks', 'all'])
        .default(defaultSettings.providedNetworks),
    )
    .option('--namespace <name>', 'namespace of the claims of ids', defaultSettings.namespace)
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
      new Option('--default-network-mtu <bytes>', 'MTU of a network that does not set one')
        .argParser(mtu)
        .default(defaultSettings.defaultNetworkMtu),
    );
  return withOvnOptions(command, {
    northbound: 'gateway routers and flows are not programmed',
    southbound: 'networks as a whole are not programmed',
  })
    .optionsGroup('Output:')
    .addOption(
      new Option('--output <format>', 'text for people, json for programs').choices(['text', 'json']).default('text'),
    )
    .option('--config <file>', 'YAML file with these options by their long names; the command line takes precedence')
    .option('--print-config', 'print the effective options as such a file and exit');
}

/** Options from a file, or its problems. */
type ConfigReading =
  { readonly read: true; readonly config: Config } | { readonly read: false; readonly problems: readonly string[] };

async function readConfig(file: string): Promise<ConfigReading> {
  const reading = await readFileText(file);
  if (!reading.read) return { read: false, problems: reading.problems.map(({ message }) => `${file}: ${message}`) };
  const { documents, errors } = parseText(reading.value);
  const several = documents.length > 1 ? [`expected one YAML document, found ${documents.length}`] : [];
  const unreadable = [...errors, ...several].map((message) => `${file}: ${message}`);
  if (unreadable.length > 0) return { read: false, problems: unreadable };
  const value = documents[0]?.value ?? {};
  const conformance = conform(value);
  const unknown = isJsonObject(value) ? Object.keys(value).filter((key) => !knownKeys.has(key)) : [];
  const problems = [
    ...unknown.map((key) => `${file}: ${key}: unknown option; known are ${[...knownKeys].join(', ')}`),
    ...(conformance.conforms
      ? cidrLists.flatMap((key) =>
          (conformance.value[key] ?? [])
            .filter((subnet) => !isCidr(subnet))
            .map(
              (subnet) => `${file}: ${key}: expected a subnet such as 169.254.0.0/17, found ${JSON.stringify(subnet)}`,
            ),
        )
      : conformance.findings.map(
          ({ path, expected, found }) => `${file}: ${path || 'the file'}: expected ${expected}, found ${found}`,
        )),
  ];
  for (const name of addressOptions) {
    const address = conformance.conforms ? conformance.value[name] : undefined;
    const problem = address === undefined ? undefined : addressProblem(address);
    if (problem !== undefined) problems.push(`${file}: ${name}: ${problem}`);
  }
  return conformance.conforms && problems.length === 0
    ? { read: true, config: conformance.value as Config }
    : { read: false, problems };
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
    namespace,
    mode,
    defaultBridge,
    egressGatewayBridge,
    masqueradeSubnet,
    serviceCidr,
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
    namespace,
    mode,
    ...(defaultBridge !== undefined && { 'default-bridge': defaultBridge }),
    ...(egressGatewayBridge !== undefined && { 'egress-gateway-bridge': egressGatewayBridge }),
    'masquerade-subnet': [...masqueradeSubnet],
    'service-cidr': [...serviceCidr],
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

/** The effective options: from the command line, else the file, else the defaults; or what is wrong with them. */
export async function effectiveOptions(
  command: Command,
): Promise<CommonOptions | { readonly problems: readonly string[] }> {
  const { config } = command.opts<CommonOptions>();
  if (config !== undefined) {
    const reading = await readConfig(config);
    if (!reading.read) return { problems: reading.problems };
    for (const [name, value] of Object.entries(optionsOf(reading.config))) {
      if (command.getOptionValueSource(name) !== 'cli') command.setOptionValueWithSource(name, value, 'config');
    }
  }
  const options = command.opts<CommonOptions>();
  const servers = ovnServers(options);
  return 'problem' in servers ? { problems: [servers.problem] } : options;
}

/** A warning for each subnet of the options that has bits behind its prefix, and so stands for another one. */
export function subnetWarnings({ masqueradeSubnet, serviceCidr }: CommonOptions): readonly string[] {
  const given = { 'masquerade-subnet': masqueradeSubnet, 'service-cidr': serviceCidr };
  return Object.entries(given).flatMap(([option, subnets]) =>
    subnets.flatMap((subnet) => {
      const network = networkOf(subnet) ?? subnet;
      const isNetwork = withoutLength(network) === canonicalAddress(withoutLength(subnet));
      return isNetwork ? [] : [`--${option} ${subnet} has host bits: ${network} is used`];
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
      namespace: options.namespace,
      ...(options.defaultBridge !== undefined && { defaultBridge: options.defaultBridge }),
      ...(options.egressGatewayBridge !== undefined && { egressGatewayBridge: options.egressGatewayBridge }),
      masqueradeSubnets: options.masqueradeSubnet.map((subnet) => networkOf(subnet) ?? subnet),
      serviceCidrs: options.serviceCidr.map((subnet) => networkOf(subnet) ?? subnet),
      defaultNetworkMtu: options.defaultNetworkMtu,
      ovn: northbound !== undefined,
    },
  };
}
