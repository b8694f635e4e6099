/**
 * The messages between the CNI plugin and the agent, on the agent's Unix socket: JSON, one message per line.
 *
 * The plugin sends a request. The agent replies steps, one at a time, and the plugin sends the outcome of each. The step `finish` has what the plugin
 * prints, and ends the exchange. The plugin decides nothing, and the agent never enters the namespace of a pod: it has no privilege for that.
 *
 * A version of the protocol is in each request, as plugin and agent are not upgraded at the same moment. An agent refuses versions that it does not know.
 */
import Type from 'typebox';
import { partOf, type Shape } from '../../api/schema.ts';

/** The version of these messages. */
export const PROTOCOL_VERSION = 2;

/** Longest line from a plugin, in bytes: a configuration of at most 1 MiB, which JSON may lengthen, and the environment of a process. */
export const MAX_MESSAGE_BYTES = 8 << 20;

/** Schema of a request: environment and standard input of the plugin as they are (CNI specification, section 2, Parameters). */
export const cniRequestSchema = partOf({
  protocol: Type.Integer(),
  command: Type.String(),
  containerId: Type.String(),
  netns: Type.String(),
  ifname: Type.String(),
  args: Type.String(),
  config: Type.String(),
});

export type CniRequest = Shape<typeof cniRequestSchema>;

const route = partOf({
  /** CIDR. */
  destination: Type.String(),
  /** Empty for a destination on the link. */
  gateway: Type.String(),
  /** Name of the interface in the namespace; empty for the attached one. */
  interface: Type.String(),
});

/** A route in the namespace of a pod. */
export type PodRoute = Shape<typeof route>;

const otherInterface = partOf({
  name: Type.String(),
  /** Its other end, if that is on the host. */
  peer: Type.Optional(partOf({ name: Type.String(), index: Type.Integer() })),
});

const observedSchema = partOf({
  /** The interface of the call; absent if there is none. */
  link: Type.Optional(
    partOf({
      mac: Type.String(),
      mtu: Type.Integer(),
      alias: Type.String(),
      isUp: Type.Boolean(),
      /** CIDR. */
      addresses: Type.Array(Type.String()),
    }),
  ),
  /** The others, without loopback. */
  interfaces: Type.Array(otherInterface),
  /** Of all interfaces. */
  routes: Type.Array(route),
  /** Routes that what has an address of their interface as its source uses, and nothing else. Older plugins do not report them. */
  answers: Type.Optional(Type.Array(route)),
});

/** The namespace of a pod, as far as it matters for an attachment. */
export type ObservedNamespace = Shape<typeof observedSchema>;

/** Schema of the outcome of a step. */
export const outcomeSchema = partOf({
  done: Type.Boolean(),
  /** Why it failed, where that leads to another result than other failures. */
  reason: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  observed: Type.Optional(observedSchema),
});

/** The outcome of a step. */
export type StepOutcome = Shape<typeof outcomeSchema>;

/** Reasons in outcomes: the namespace is gone, is none, or is that of the host; its interface exists already; a gateway did not answer in time. */
export const stepFailures = {
  namespace: 'no-namespace',
  interfaceExists: 'interface-exists',
  answer: 'no-answer',
} as const;

/** The interface of a pod. */
export interface PodInterface {
  /** Name of its peer on the host. */
  readonly hostInterface: string;
  readonly mac: string;
  /** In bytes. */
  readonly mtu: number;
  /** Link alias of both ends. */
  readonly alias: string;
  /** CIDR. */
  readonly addresses: readonly string[];
  readonly routes: readonly PodRoute[];
  /** Routes of what has an address of their interface as its source, and of nothing else: answers leave by the interface that questions come by. Older plugins leave them out. */
  readonly answers: readonly PodRoute[];
  /** Sysctls below net.ipv6.conf.INTERFACE. */
  readonly ipv6Settings: Readonly<Record<string, string>>;
}

/** The next step of the plugin. */
export type PluginStep =
  /** Reports the namespace. */
  | { readonly step: 'observe' }
  /** Creates the interface and its peer. */
  | { readonly step: 'attach'; readonly attach: PodInterface }
  /** Resolves gateways until each has answered. @param timeout in milliseconds */
  | { readonly step: 'probe'; readonly probe: { readonly gateways: readonly string[]; readonly timeout: number } }
  /** Deletes the interface, unless another program created it. */
  | { readonly step: 'detach' };

/** The result of the plugin: what it prints, and its exit status. */
export interface PluginResult {
  readonly exitStatus: 0 | 1;
  /** Empty for no output. */
  readonly output: string;
}
