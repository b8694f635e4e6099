/**
 * Texts of operations: their effect, disruption and failure.
 */
import type { Disruption } from '../entities/entity-kind.ts';
import { movedDevice, type Operation } from '../entities/operations/operation.ts';
import { semanticsOf } from '../entities/operations/operation-semantics.ts';

/** The operation in one line: its mark and its summary. */
export function operationText(operation: Operation): string {
  const semantics = semanticsOf(operation);
  return `${semantics.mark} ${semantics.summary(operation)}`;
}

function deviceOf(operation: Operation): string {
  return movedDevice(operation) ?? 'the interface';
}

/** The disruption of an operation; undefined if it has none. */
export function disruptionText(operation: Operation): string | undefined {
  switch (semanticsOf(operation).disruption(operation)) {
    case 'none':
      return undefined;
    case 'link-cycle':
      return `${deviceOf(operation)} goes down and up: its connections pause`;
    case 'address-detection':
      return 'the address cannot be used for about 2 s';
    case 'connections-reset':
      return 'the network’s connections are reset';
  }
}

/** A counted phrase; none for an empty set. */
function counted({ size }: ReadonlySet<unknown>, one: string, several: string): readonly string[] {
  return size === 0 ? [] : [`${size} ${size === 1 ? one : several}`];
}

/** The disruptions of several operations, one phrase per kind. An interface that goes down several times counts once. */
export function disruptionSummary(operations: readonly Operation[]): readonly string[] {
  const disturbing = (disruption: Disruption) =>
    operations.filter((operation) => semanticsOf(operation).disruption(operation) === disruption);
  const interfaces = disturbing('link-cycle').map(deviceOf);
  const addresses = disturbing('address-detection').map(operationText);
  const networks = disturbing('connections-reset').flatMap((operation): readonly string[] =>
    operation.networks.length === 0 ? [operationText(operation)] : operation.networks,
  );
  return [
    ...counted(new Set(interfaces), 'interface goes down and up', 'interfaces go down and up'),
    ...counted(new Set(addresses), 'address cannot be used for about 2 s', 'addresses cannot be used for about 2 s'),
    ...counted(new Set(networks), 'network’s connections are reset', 'networks’ connections are reset'),
  ];
}

/** Longest part of an error that a message contains, in characters. */
const MAX_ERROR = 1000;

/** Says which operation failed and why, and how many others failed. */
export function failureSentence(operation: Operation, error: string, others: number): string {
  return `failed: ${operationText(operation)}: ${error.length > MAX_ERROR ? `${error.slice(0, MAX_ERROR)}…` : error}${others === 0 ? '' : `; and ${others} more failed`}`;
}
