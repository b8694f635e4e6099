import type { ApplyResult } from '../../ports/apply-result.ts';
import type { BatchResult, IpBatch } from './batch.ts';
import { DROPPABLE_COMMANDS, readDroppableThings } from './host-tables.ts';

type NotDone = Extract<BatchResult, { answered: false }>;

function notDone({ error, isRefused }: NotDone): ApplyResult {
  return { done: false, error, ...(isRefused && { isRefused }) };
}

/** Has something changed by a command of plain words. Never rejects. */
export async function change(batch: IpBatch, command: readonly string[]): Promise<ApplyResult> {
  const answer = await batch.change(command);
  return answer.answered ? { done: true } : notDone(answer);
}

/**
 * The same for a command with which the kernel drops things, which are listed right before: ip does one after the other and asks nobody in
 * between, so that between the list of routes and the change there is no more time than it takes to print that list.
 */
export async function changeAfterList(batch: IpBatch, command: readonly string[]): Promise<ApplyResult> {
  const answer = await batch.change(command, DROPPABLE_COMMANDS);
  if (!answer.answered) return notDone(answer);
  const { lines, isWhole } = answer;
  const things = lines.length === 0 ? undefined : readDroppableThings(lines);
  return { done: true, ...(things?.read === true && { before: { things: things.value, isWhole } }) };
}
