import type { ApplyResult } from '../../ports/apply-result.ts';
import type { BatchResult, IpBatch } from './batch.ts';
import { DROPPABLE_COMMANDS, readDroppableEntities } from './host-tables.ts';

type UnansweredCommand = Extract<BatchResult, { answered: false }>;

function failed({ error, isRefused }: UnansweredCommand): ApplyResult {
  return { done: false, error, ...(isRefused && { isRefused }) };
}

/** Runs a change. Never rejects. */
export async function change(batch: IpBatch, command: readonly string[]): Promise<ApplyResult> {
  const answer = await batch.change(command);
  return answer.answered ? { done: true } : failed(answer);
}

/**
 * Runs a change with which the kernel drops entities, and lists these right before: in one batch, no more time passes between the list of routes and the
 * change than it takes to print that list.
 */
export async function changeAfterList(batch: IpBatch, command: readonly string[]): Promise<ApplyResult> {
  const answer = await batch.change(command, DROPPABLE_COMMANDS);
  if (!answer.answered) return failed(answer);
  const { lines, isComplete } = answer;
  const entities = lines.length === 0 ? undefined : readDroppableEntities(lines);
  return { done: true, ...(entities?.read === true && { before: { entities: entities.value, isComplete } }) };
}
