/**
 * Condition ServicesReady of a network that ovn-uplinks provides: on how many of its active nodes its Services are served (docs/design/services.md,
 * "Conditions").
 */
import type { Condition } from '../api/condition.ts';
import { least } from '../basics/names/ordering.ts';
import type { NotReadyNodes } from './network-ready.ts';
import { notReadyMessage } from './node-sample.ts';
import { type ServicesReadyReason, servicesReadyReasons } from './provision-reasons.ts';
import { byPrecedence } from './reasons.ts';
import type { ServiceProblem } from './service-problem.ts';

/** Condition ServicesReady. A reason that a node of a newer version has reported is passed on unchanged. */
export type ServicesReadyCondition = Condition<'ServicesReady', ServicesReadyReason | (string & {})>;

/** Services with a problem of one reason. */
export interface ServicesWithProblem {
  readonly count: number;
  readonly reason: ServiceProblem['reason'];
  /** The first of them by name, as NAMESPACE/NAME. */
  readonly service: string;
  /** Its problem. */
  readonly text: string;
}

/** The input of the condition. */
export interface ServicesReadyInput {
  /** Number of the network's Services that have an address. */
  readonly services: number;
  /** Problems of some of them, one of each reason. */
  readonly problems: readonly ServicesWithProblem[];
  /** Number of nodes on which the network is active. */
  readonly activeNodes: number;
  readonly notServing: NotReadyNodes;
}

const precedence = byPrecedence(servicesReadyReasons);

const servicesText = (count: number) => `${count} Service${count === 1 ? '' : 's'}`;

function messageOf(reason: string, { services, problems, activeNodes, notServing }: ServicesReadyInput): string {
  const problem = problems.find((each) => each.reason === reason);
  if (problem !== undefined)
    return `${problem.count} of ${servicesText(services)}: ${problem.service}: ${problem.text}${problem.count > 1 ? ', …' : ''}`;
  const message = notReadyMessage(notServing, activeNodes, 'active');
  const explained = notServing.explained.find((each) => each.reason === reason);
  return explained === undefined ? message : `${message}; ${explained.node}: ${explained.message}`;
}

/** Computes the condition; undefined for a network without Services. */
export function servicesReadyCondition(input: ServicesReadyInput): ServicesReadyCondition | undefined {
  const { services, problems, activeNodes, notServing } = input;
  if (services === 0) return undefined;
  const reason = least([...notServing.reasons, ...problems.map((each) => each.reason)], precedence);
  const type = 'ServicesReady';
  if (reason !== undefined) return { type, status: 'False', reason, message: messageOf(reason, input) };
  const nodes =
    activeNodes === 0
      ? '; the network is not active on any node'
      : ` served on ${activeNodes} of ${activeNodes} active nodes`;
  return { type, status: 'True', reason: 'ServicesReady', message: `${servicesText(services)}${nodes}` };
}
