/**
 * The environment of the plugin, by which a runtime says what to do for which container (CNI specification 1.1.0, section 2, Parameters).
 */
import { describeValue } from '../../api/conformance.ts';
import { ALIAS_BYTES, VRF_ALIAS_PREFIX } from '../../basics/conventions.ts';
import { isInterfaceName } from '../../basics/names/interface-name.ts';
import type { CniCommand } from './command.ts';
import { type CniError, errorCodes } from './error.ts';
import type { CniRequest } from './messages.ts';

/** The pod of a container, as Kubernetes' runtimes pass it in CNI_ARGS. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  /** Absent from older runtimes. */
  readonly uid?: string;
}

/** Longest container id: link aliases contain it. Those of container runtimes have 64 characters. */
const MAX_CONTAINER_ID = ALIAS_BYTES - VRF_ALIAS_PREFIX.length;

const CONTAINER_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** Longest path (Linux, PATH_MAX - 1). */
const MAX_PATH = 4095;

/** The form of namespaces and pods (RFC 1123 subdomain). */
const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A text as messages have it. */
export const quoted = (text: string): string => describeValue(text).replace(/^string /, '');

export const invalidEnvironment = (details: string): CniError => ({
  code: errorCodes.invalidEnvironment,
  message: 'the environment of the plugin is invalid',
  details,
});

/** The pod in `K8S_POD_NAMESPACE=demo;K8S_POD_NAME=web;K8S_POD_UID=…`; undefined if its names are missing or malformed. */
export function podIn(args: string): PodIdentity | undefined {
  const pairs = new Map(
    args.split(';').flatMap((pair) => {
      const [key = '', ...value] = pair.split('=');
      return value.length === 0 ? [] : [[key, value.join('=')] as const];
    }),
  );
  const [namespace = '', name = '', uid = ''] = ['K8S_POD_NAMESPACE', 'K8S_POD_NAME', 'K8S_POD_UID'].map((key) =>
    pairs.get(key),
  );
  if (!OBJECT_NAME.test(namespace) || !OBJECT_NAME.test(name)) return undefined;
  return { namespace, name, ...(uid !== '' && { uid }) };
}

/** The fault of each variable that a command needs, if it has one. */
const environmentChecks: Readonly<Record<string, (request: CniRequest) => string | undefined>> = {
  CNI_CONTAINERID: ({ containerId }) => {
    if (containerId === '') return 'CNI_CONTAINERID is missing';
    if (containerId.length > MAX_CONTAINER_ID) {
      return `CNI_CONTAINERID has ${containerId.length} characters, expected at most ${MAX_CONTAINER_ID}`;
    }
    if (CONTAINER_ID.test(containerId)) return undefined;
    return `CNI_CONTAINERID is ${quoted(containerId)}, expected letters, digits, "_", "." and "-", beginning with a letter or digit`;
  },
  CNI_IFNAME: ({ ifname }) => {
    if (ifname === '') return 'CNI_IFNAME is missing';
    return isInterfaceName(ifname)
      ? undefined
      : `CNI_IFNAME is ${quoted(ifname)}, expected a name of 1 to 15 bytes that the kernel accepts`;
  },
  CNI_NETNS: ({ netns }) => {
    if (netns === '') return 'CNI_NETNS is missing';
    return netns.startsWith('/') && netns.length <= MAX_PATH && !netns.includes('\0')
      ? undefined
      : `CNI_NETNS is ${quoted(netns)}, expected an absolute path of at most ${MAX_PATH} characters`;
  },
  CNI_ARGS: ({ args }) =>
    podIn(args) === undefined
      ? `CNI_ARGS is ${quoted(args)}, expected K8S_POD_NAMESPACE and K8S_POD_NAME with the names of a pod`
      : undefined,
};

const neededVariables: Readonly<Record<CniCommand, readonly string[]>> = {
  ADD: ['CNI_CONTAINERID', 'CNI_IFNAME', 'CNI_NETNS', 'CNI_ARGS'],
  CHECK: ['CNI_CONTAINERID', 'CNI_IFNAME', 'CNI_NETNS', 'CNI_ARGS'],
  DEL: ['CNI_CONTAINERID', 'CNI_IFNAME'],
  STATUS: [],
  GC: [],
};

export function environmentError(command: CniCommand, request: CniRequest): CniError | undefined {
  const problems = neededVariables[command].flatMap((variable) => environmentChecks[variable]?.(request) ?? []);
  return problems.length === 0 ? undefined : invalidEnvironment(problems.join('; '));
}
