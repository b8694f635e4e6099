/**
 * What an operation does, disturbs and fails with, for a person.
 */
import type { Disruption } from '../entities/entity-kind.ts';
import { movedDevice, type Operation } from '../operations/operation.ts';
import { meaningOf } from '../operations/operation-meaning.ts';

/** The operation in a line: its mark, and what it is about. */
export function operationText(operation: Operation): string {
  const meaning = meaningOf(operation);
  return `${meaning.mark} ${meaning.summary(operation)}`;
}

function deviceOf(operation: Operation): string {
  return movedDevice(operation) ?? 'the interface';
}

/** What an operation disturbs besides what it changes; nothing where it disturbs nothing. */
export function disruptionText(operation: Operation): string | undefined {
  switch (meaningOf(operation).disruption(operation)) {
    case 'none':
      return undefined;
    case 'link-cycle':
      return `${deviceOf(operation)} goes down and up: its connections pause`;
    case 'address-detection':
      return 'the address is silent for 2 s';
    case 'connections-reset':
      return 'the network’s connections end';
  }
}

/** A number of things and what becomes of them; nothing where there are none. */
function counted({ size }: ReadonlySet<unknown>, one: string, several: string): readonly string[] {
  return size === 0 ? [] : [`${size} ${size === 1 ? one : several}`];
}

/** What operations disturb together, in a few words a kind; an interface that goes down several times counts once. */
export function disruptionSummary(operations: readonly Operation[]): readonly string[] {
  const disturbing = (disruption: Disruption) =>
    operations.filter((operation) => meaningOf(operation).disruption(operation) === disruption);
  const interfaces = disturbing('link-cycle').map(deviceOf);
  const addresses = disturbing('address-detection').map(operationText);
  const networks = disturbing('connections-reset').flatMap((operation) =>
    operation.networks.length === 0 ? [operationText(operation)] : operation.networks,
  );
  return [
    ...counted(new Set(interfaces), 'interface goes down and up', 'interfaces go down and up'),
    ...counted(new Set(addresses), 'address is silent for 2 s', 'addresses are silent for 2 s'),
    ...counted(new Set(networks), 'network’s connections end', 'networks’ connections end'),
  ];
}

/** Most of a program's complaint that is told, in characters: a message has its limits. */
const TOLD_ERROR = 1000;

/** That an operation failed, why, and how many others did. */
export function failureSentence(operation: Operation, error: string, others: number): string {
  return `failed: ${operationText(operation)}: ${error.length > TOLD_ERROR ? `${error.slice(0, TOLD_ERROR)}…` : error}${others === 0 ? '' : `; and ${others} more failed`}`;
}
