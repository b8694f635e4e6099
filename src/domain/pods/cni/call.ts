/**
 * The request of a runtime to the plugin, from its environment and standard input (CNI specification 1.1.0, section 2).
 */
import Type from 'typebox';
import { conformanceTo } from '../../api/conformance.ts';
import { parseJson } from '../../api/json-annotation.ts';
import { partOf, type Shape } from '../../api/schema.ts';
import { type CniCommand, commands, isCommand } from './command.ts';
import { environmentError, invalidEnvironment, podIn, type PodIdentity, quoted } from './environment.ts';
import { type CniError, errorCodes } from './error.ts';
import { type CniRequest, PROTOCOL_VERSION } from './messages.ts';
import { CNI_VERSIONS, type CniVersion, isCniVersion } from './versions.ts';

const resultSchema = partOf({
  interfaces: Type.Optional(Type.Array(Type.Unknown())),
  ips: Type.Optional(Type.Array(Type.Unknown())),
  routes: Type.Optional(Type.Array(Type.Unknown())),
});

/** The result of the plugins before this one, which is passed on with additions. */
export type PreviousResult = Shape<typeof resultSchema>;

const validAttachments = 'cni.dev/valid-attachments';

const version = { cniVersion: Type.Optional(Type.String()) };

const named = { name: Type.Optional(Type.String()) };

const configurationSchema = partOf({
  ...version,
  ...named,
  prevResult: Type.Optional(Type.Union([resultSchema, Type.Null()])),
  // An empty list of Go may be null (libcni, GCArgs).
  [validAttachments]: Type.Optional(
    Type.Union([Type.Array(partOf({ containerID: Type.String(), ifname: Type.String() })), Type.Null()]),
  ),
});

/** An interface of a container (CNI specification, section 3). */
export interface Attachment {
  readonly containerId: string;
  readonly ifname: string;
}

/** A valid call. */
export type CniCall =
  | {
      readonly command: 'ADD' | 'CHECK';
      readonly cniVersion: CniVersion;
      /** Name of the network in OVN, which is that of the configuration. */
      readonly network: string;
      readonly attachment: Attachment;
      readonly netns: string;
      readonly pod: PodIdentity;
      readonly previous?: PreviousResult;
    }
  /** Neither namespace nor pod are needed, as both may be gone. The network is absent where the configuration does not say it. */
  | {
      readonly command: 'DEL';
      readonly cniVersion: CniVersion;
      readonly network?: string;
      readonly attachment: Attachment;
    }
  | { readonly command: 'STATUS'; readonly cniVersion: CniVersion }
  /** @param valid the attachments that still exist, of the network of this name */
  | {
      readonly command: 'GC';
      readonly cniVersion: CniVersion;
      readonly network: string;
      readonly valid: readonly Attachment[];
    };

/** A call that attaches, or that checks what was attached. */
export type AddCall = Extract<CniCall, { readonly command: 'ADD' | 'CHECK' }>;

/** A call, or why it is invalid. */
export type ReadCall =
  | { readonly valid: true; readonly call: CniCall }
  | {
      readonly valid: false;
      readonly error: CniError;
      /** Of the input, whether it is supported or not; absent if it cannot be read. */
      readonly cniVersion?: string;
    };

/** The versions of the specification with which commands came that the first one does not have. */
const firstVersions: Readonly<Partial<Record<CniCommand, CniVersion>>> = {
  CHECK: '0.4.0',
  STATUS: '1.1.0',
  GC: '1.1.0',
};

const NETWORK_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const conform = conformanceTo(configurationSchema);

const conformInVersion = conformanceTo(partOf(version));

const conformInName = conformanceTo(partOf(named));

type Configuration = Shape<typeof configurationSchema>;

/** The configuration, or why it is invalid, with its version if it has one. Of DEL, which must succeed as far as possible, it has no more than version and name. */
function readConfiguration(
  command: CniCommand,
  text: string,
): { readonly value: Configuration } | { readonly error: CniError; readonly cniVersion?: string } {
  const parsed = parseJson(text);
  if (parsed === undefined) {
    const details = 'standard input is not valid JSON';
    return { error: { code: errorCodes.decodingFailure, message: 'cannot decode the network configuration', details } };
  }
  const inVersion = conformInVersion(parsed.value);
  const { cniVersion } = inVersion.conforms ? inVersion.value : {};
  const stated = cniVersion === undefined ? {} : { cniVersion };
  if (command === 'DEL' && inVersion.conforms) {
    const inName = conformInName(parsed.value);
    return { value: { ...stated, ...(inName.conforms && inName.value) } };
  }
  const conformance = conform(parsed.value);
  if (conformance.conforms) return { value: conformance.value };
  const [{ path, expected, found } = { path: '', expected: 'another value', found: 'this' }] = conformance.findings;
  const details = `${path === '' ? 'standard input' : path}: expected ${expected}, found ${found}`;
  const error = { code: errorCodes.invalidConfiguration, message: 'the network configuration is invalid', details };
  return { error, ...stated };
}

/** The version of a configuration, or why a command is not supported in it. */
function versionFor(
  command: CniCommand,
  version: string,
): { readonly version: CniVersion } | { readonly error: CniError } {
  const unsupported = (details: string) => ({
    error: { code: errorCodes.incompatibleVersion, message: 'the CNI version is not supported', details },
  });
  if (!isCniVersion(version)) {
    return unsupported(`cniVersion is ${quoted(version)}, expected one of ${CNI_VERSIONS.join(', ')}`);
  }
  const first = firstVersions[command];
  return first === undefined || CNI_VERSIONS.indexOf(version) >= CNI_VERSIONS.indexOf(first)
    ? { version }
    : unsupported(`cniVersion is "${version}", and ${command} requires ${first} or newer`);
}

function configurationError(command: CniCommand, configuration: Configuration): CniError | undefined {
  const invalid = (details: string): CniError => ({
    code: errorCodes.invalidConfiguration,
    message: 'the network configuration is invalid',
    details,
  });
  const { name = '', prevResult } = configuration;
  // STATUS is about the plugin, and DEL must succeed as far as possible.
  if (command !== 'STATUS' && command !== 'DEL' && !NETWORK_NAME.test(name)) {
    return invalid(
      `name is ${quoted(name)}, expected letters, digits, "_", "." and "-", beginning with a letter or digit`,
    );
  }
  if (command === 'CHECK' && (prevResult === undefined || prevResult === null)) {
    return invalid('prevResult: expected the result of ADD, found nothing');
  }
  if (command === 'GC' && configuration[validAttachments] === undefined) {
    return invalid(`${validAttachments}: expected the list of valid attachments, found nothing`);
  }
  return undefined;
}

function callOf(command: CniCommand, cniVersion: CniVersion, request: CniRequest, config: Configuration): CniCall {
  const { containerId, ifname, netns, args } = request;
  const { name: network = '', prevResult } = config;
  const attachment = { containerId, ifname };
  switch (command) {
    case 'ADD':
    case 'CHECK': {
      const pod = podIn(args) ?? { namespace: '', name: '' };
      const previous = prevResult === undefined || prevResult === null ? {} : { previous: prevResult };
      return { command, cniVersion, network, attachment, netns, pod, ...previous };
    }
    case 'DEL':
      return { command, cniVersion, ...(network !== '' && { network }), attachment };
    case 'STATUS':
      return { command, cniVersion };
    case 'GC': {
      const valid = (config[validAttachments] ?? []).map((each) => ({
        containerId: each.containerID,
        ifname: each.ifname,
      }));
      return { command, cniVersion, network, valid };
    }
  }
}

/**
 * Reads a call. Checks the version of the messages, the command, the configuration with its version, and the variables that the command needs, in this
 * order, and reports the first of these that is invalid.
 */
export function readCall(request: CniRequest): ReadCall {
  const { protocol, command, config } = request;
  if (protocol !== PROTOCOL_VERSION) {
    const details = `the plugin uses version ${protocol} of the messages, the agent version ${PROTOCOL_VERSION}; one of them is about to be upgraded`;
    return { valid: false, error: { code: errorCodes.tryAgainLater, message: 'plugin and agent differ', details } };
  }
  if (!isCommand(command)) {
    const error = invalidEnvironment(
      `CNI_COMMAND is ${quoted(command)}, expected one of ${[...commands, 'VERSION'].join(', ')}`,
    );
    return { valid: false, error };
  }
  const configuration = readConfiguration(command, config);
  if ('error' in configuration) return { valid: false, ...configuration };
  // Configurations of the first version have no such field.
  const { cniVersion = '0.1.0' } = configuration.value;
  const supported = versionFor(command, cniVersion);
  if ('error' in supported) return { valid: false, error: supported.error, cniVersion };
  const error = environmentError(command, request) ?? configurationError(command, configuration.value);
  if (error !== undefined) return { valid: false, error, cniVersion };
  return { valid: true, call: callOf(command, supported.version, request, configuration.value) };
}
