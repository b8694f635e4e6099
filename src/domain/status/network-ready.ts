/**
 * Condition NetworkReady of a network that ovn-uplinks provides: on how many of its active nodes OVN has processed its rows (docs/design/networks.md,
 * "Reports").
 */
import type { NetworkExit } from '../network/network.ts';
import type { UnsupportedPart } from '../network/unsupported.ts';
import type { Condition } from '../api/condition.ts';
import { least } from '../basics/names/ordering.ts';
import type { UsedTwice } from '../network/provision/used-subnets.ts';
import { unsupportedMessage } from './network-created.ts';
import { type AffectedNode, nameSample } from './node-sample.ts';
import { type NetworkReadyReason, networkReadyReasons } from './provision-reasons.ts';
import { byPrecedence } from './reasons.ts';
import { usedTwiceSentence } from './sentences/used-twice-sentence.ts';

/** Condition NetworkReady. A reason that a node of a newer version has reported is passed on unchanged. */
export type NetworkReadyCondition = Condition<'NetworkReady', NetworkReadyReason | (string & {})>;

/** The input of the condition. */
export interface NetworkReadyInput {
  readonly unsupported: UnsupportedPart | undefined;
  readonly usedTwice: UsedTwice | undefined;
  /** Whether it has an id. */
  readonly isAllocated: boolean;
  /** Number of nodes on which it is active. */
  readonly activeNodes: number;
  readonly notReady: NotReadyNodes;
  /** The first nodes by name on which the default network carries packets of pods past their locks, with its implementation as reason. */
  readonly unlocked: readonly AffectedNode[];
  /** MTU of the network, in bytes. */
  readonly mtu: number;
  /** The first nodes by name whose tunnels are too narrow for that, with the longest packet that fits as reason. */
  readonly narrow: readonly AffectedNode[];
  /** Its way out. */
  readonly exit: NetworkExit;
}

/** Active nodes on which a network is not ready. */
export interface NotReadyNodes {
  readonly count: number;
  /** Why, in any order; may be repeated. */
  readonly reasons: readonly string[];
  /** The first of them by name, enough for a message. */
  readonly first: readonly AffectedNode[];
  /** Those that say what has failed, by name. */
  readonly explained: readonly ExplainedNode[];
}

/** A node on which a network is not ready, and what has failed there. */
interface ExplainedNode extends AffectedNode {
  readonly message: string;
}

const precedence = byPrecedence(networkReadyReasons);

function failed(reason: string, message: string): NetworkReadyCondition {
  return { type: 'NetworkReady', status: 'False', reason, message };
}

/** Advice for an operator where locks do not hold; empty where they do. */
function lockText(unlocked: readonly AffectedNode[]): string {
  if (unlocked.length === 0) return '';
  const sample = nameSample(unlocked.map(({ node, reason }) => `${node} (${reason})`));
  return `; in the default network, packets of pods bypass their locks on ${sample}: isolate pods there by its own policies`;
}

/** How pods of a network leave the cluster, where that is not by an uplink. */
const wayOut: Readonly<Record<NetworkExit, string>> = {
  uplink: '',
  node: '; pods leave the cluster by their nodes',
  none: '; pods have no way out of the cluster: no uplink',
};

/** Says that packets do not fit through tunnels; empty where they do. */
function narrowText({ mtu, narrow }: NetworkReadyInput): string {
  if (narrow.length === 0) return '';
  const sample = nameSample(narrow.map(({ node, reason }) => `${node} (${reason})`));
  return `; packets of ${mtu} bytes, the network's MTU, do not fit through the tunnels of ${sample}`;
}

/** Computes the condition. */
export function networkReadyCondition(input: NetworkReadyInput): NetworkReadyCondition {
  const { unsupported, usedTwice, isAllocated, activeNodes, notReady } = input;
  if (unsupported !== undefined) return failed('NetworkUnsupported', unsupportedMessage(unsupported));
  if (usedTwice !== undefined) return failed('SubnetsOverlap', usedTwiceSentence(usedTwice));
  if (!isAllocated) return failed('NetworkNotAllocated', 'the network has no id yet');
  const reason = least(notReady.reasons, precedence);
  if (reason !== undefined) {
    const sample = nameSample(notReady.first.map((each) => `${each.node} (${each.reason})`));
    const message = `${notReady.count} of ${activeNodes} active nodes not ready: ${sample}`;
    const explained = notReady.explained.find((each) => each.reason === reason);
    return failed(reason, explained === undefined ? message : `${message}; ${explained.node}: ${explained.message}`);
  }
  const message =
    activeNodes === 0 ? 'not active on any node' : `ready on ${activeNodes} of ${activeNodes} active nodes`;
  return {
    type: 'NetworkReady',
    status: 'True',
    reason: 'NetworkReady',
    message: [message, wayOut[input.exit], lockText(input.unlocked), narrowText(input)].join(''),
  };
}
