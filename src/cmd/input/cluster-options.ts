/** The options about a cluster, each said once: on the command line, in files, and as `--print-config` prints them. */
import { InvalidArgumentError, Option } from 'commander';
import Type, { type Static, type TSchema } from 'typebox';
import { DELETION_GRACE_PERIOD } from '../../control/grace-period.ts';
import { stringEnum } from '../../domain/api/schema.ts';
import { isInterfaceName } from '../../domain/basics/names/interface-name.ts';
import { isCidr } from '../../domain/basics/addresses/ip-address.ts';
import { defaultSettings, textOfService } from '../../domain/snapshot/settings.ts';
import { duration, durationSchema } from './duration.ts';
import { egressSchema, egressText } from './egress-option.ts';
import {
  allowedServicesSchema,
  allowedServicesText,
  dnsAddressesText,
  serviceNameSchema,
  serviceNameText,
} from './service-options.ts';

/** An option. */
interface ClusterOption<Schema extends TSchema, Value> {
  /** The schema of its value in a file. */
  readonly schema: Schema;
  /** Its value where it is not given. */
  readonly value: Value;
  /** The value for people; absent where it is its text. */
  readonly valueText?: string;
  /** The name of its value in usage, such as `mode`; absent for a switch. */
  readonly argument?: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** @param before the values of the option that come before it */
  parse?(this: void, text: string, before: Static<Schema> | Value): Static<Schema>;
}

const option = <Schema extends TSchema, Value extends Static<Schema> | undefined>(
  each: ClusterOption<Schema, Value>,
): ClusterOption<Schema, Value> => each;

const choice = <const Choices extends readonly string[]>(
  argument: string,
  choices: Choices,
  value: Choices[number],
  description: string,
) => option({ schema: stringEnum(choices), value, argument, description, choices });

const bridge = (description: string) =>
  option({ schema: Type.String({ minLength: 1 }), value: undefined, argument: 'name', description });

/** A subnet that may be repeated; the first value replaces the default. */
const subnets = (value: readonly string[], description: string) =>
  option({
    schema: Type.Unsafe<readonly string[]>(Type.Array(Type.String(), { minItems: 1 })),
    value,
    valueText: value.join(', ') || 'none',
    argument: 'cidr',
    description: `${description}; may be repeated`,
    parse: (text, before) => {
      if (!isCidr(text)) throw new InvalidArgumentError(`Expected a subnet such as ${value[0] ?? ''}.`);
      return before === value ? [text] : [...before, text];
    },
  });

function deviceNames(text: string, before: readonly string[]): readonly string[] {
  if (!isInterfaceName(text)) throw new InvalidArgumentError('Expected the name of a network device, such as eth1.');
  return [...before, text];
}

function mtu(text: string): number {
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < 576 || bytes > 65536) {
    throw new InvalidArgumentError('Expected a whole number of bytes from 576 to 65536.');
  }
  return bytes;
}

export const namespaceName = Type.String({ minLength: 1, maxLength: 63 });

/** The options by their names. */
export const clusterOptions = {
  'gateway-mode': choice('mode', ['shared', 'local'], defaultSettings.gatewayMode, "OVN-Kubernetes' gateway mode"),
  'dynamic-udn': option({
    schema: Type.Boolean(),
    value: defaultSettings.dynamicNetworks,
    description: 'networks are active only on nodes where one of their pods runs',
  }),
  'udn-deletion-grace-period': option({
    schema: durationSchema,
    value: `${DELETION_GRACE_PERIOD / 1000}s`,
    argument: 'duration',
    description: 'with --dynamic-udn, how long a network stays on a node after its last pod there',
    parse: duration,
  }),
  networks: choice(
    'which',
    ['none', 'with-uplinks', 'all'],
    defaultSettings.providedNetworks,
    'networks that ovn-uplinks provides, not only their uplinks: with-uplinks beside OVN-Kubernetes; none beside an implementation that leaves their gateway routers to ovn-uplinks',
  ),
  egress: option({
    schema: egressSchema,
    value: defaultSettings.egress,
    argument: 'way',
    description:
      'way out of provided networks without an uplink: none; node: by their nodes, with the address of the node; uplink=NAME: by that Uplink, as if they named it',
    parse: egressText,
  }),
  'egress-allow': subnets(
    defaultSettings.egressAllow,
    'subnet that pods reach by their nodes though it is denied by default, such as an address of nodes',
  ),
  'egress-devices': option({
    schema: Type.Unsafe<readonly string[]>(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    value: defaultSettings.egressDevices,
    valueText: 'none',
    argument: 'name',
    description: 'device that pods leave their nodes by, beside those of default routes; may be repeated',
    parse: deviceNames,
  }),
  'system-namespace': option({
    schema: namespaceName,
    value: defaultSettings.namespace,
    argument: 'name',
    description: 'namespace of ovn-uplinks, with the claims of ids',
  }),
  mode: choice('mode', ['full'], 'full', 'node mode: full is a node without a DPU'),
  'default-bridge': bridge("default gateway bridge (default: bridge-id of the node's l3-gateway-config, else br-ex)"),
  'egress-gateway-bridge': bridge('legacy egress gateway bridge'),
  'masquerade-subnet': subnets(defaultSettings.masqueradeSubnets, 'masquerade subnet of OVN-Kubernetes'),
  'service-cidr': subnets(defaultSettings.serviceCidrs, 'subnet of the cluster’s services'),
  'cluster-cidr': subnets(
    defaultSettings.clusterCidrs,
    'subnet of the pods of the default network, where Nodes have no spec.podCIDRs',
  ),
  'dns-service': option({
    schema: serviceNameSchema,
    value: textOfService(defaultSettings.dnsService),
    argument: 'namespace/name',
    description: 'Service of the cluster’s DNS, which pods of provided networks reach by the default network',
    parse: serviceNameText,
  }),
  'dns-addresses': option({
    schema: Type.String({ minLength: 1 }),
    value: undefined,
    argument: 'addresses',
    description:
      'addresses of DNS that are no Service’s, such as those of NodeLocal DNSCache, which they reach likewise; separated by commas',
    parse: dnsAddressesText,
  }),
  'default-services': option({
    schema: allowedServicesSchema,
    value: undefined,
    argument: 'services',
    description:
      'Services of the default network that they reach likewise, beside DNS and the Kubernetes API: NAMESPACE/NAME or NAMESPACE/NAME:PORT, separated by commas',
    parse: allowedServicesText,
  }),
  'external-ips': subnets(
    defaultSettings.externalIps,
    'subnet of addresses that Services of provided networks may ask for in spec.externalIPs; none by default',
  ),
  'default-network-mtu': option({
    schema: Type.Integer({ minimum: 576, maximum: 65536 }),
    value: defaultSettings.defaultNetworkMtu,
    argument: 'bytes',
    description: 'MTU of a network that does not set one',
    parse: mtu,
  }),
} as const;

type OptionName = keyof typeof clusterOptions;

/** The names of the options with lists of subnets. */
export const subnetOptions = [
  'masquerade-subnet',
  'service-cidr',
  'cluster-cidr',
  'egress-allow',
  'external-ips',
] as const satisfies OptionName[];

/** The options for commander. */
export function commandOptions(): readonly Option[] {
  return Object.entries(clusterOptions).map(([name, each]) => {
    const { argument, description, choices, parse, value, valueText }: ClusterOption<TSchema, unknown> = each;
    const made = new Option(`--${name}${argument === undefined ? '' : ` <${argument}>`}`, description);
    if (choices !== undefined) made.choices(choices);
    if (parse !== undefined) made.argParser(parse);
    return value === undefined ? made : made.default(value, valueText);
  });
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A name as commander has it. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

type Value<Name extends OptionName> = Static<(typeof clusterOptions)[Name]['schema']>;

type Optional = {
  [Name in OptionName]: (typeof clusterOptions)[Name]['value'] extends undefined ? Name : never;
}[OptionName];

/** The options as parsed by commander. */
export type ClusterOptions = {
  readonly [Name in OptionName as Name extends Optional ? never : CamelCase<Name>]: Value<Name>;
} & { readonly [Name in Optional as CamelCase<Name>]?: Value<Name> };

/** The schemas of the options in a file. */
export const optionSchemas = Object.fromEntries(
  Object.entries(clusterOptions).map(([name, { schema }]) => [name, Type.Optional(schema)]),
) as unknown as {
  readonly [Name in OptionName]: ReturnType<typeof Type.Optional<(typeof clusterOptions)[Name]['schema']>>;
};
