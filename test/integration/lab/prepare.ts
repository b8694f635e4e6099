import { setTimeout as pause } from 'node:timers/promises';
import type { ArgumentVector, LabNode } from './node.ts';

/** Words that ip(8) reads in a batch as they are. */
const PLAIN = /^[A-Za-z0-9_.:/+,-]+$/;

/** Words after which ip takes a name or a number, and keeps the wrong one of them for the next time (iproute2, lib/rt_names.c). */
const NUMBERED = ['proto', 'protocol', 'scope'];

/** Milliseconds in which the kernel has to know of a new device whether it has a carrier: it takes a second (net/core/link_watch.c). */
const CARRIER_DEADLINE = 90_000;

/** Milliseconds between two looks at that: each of them keeps the machine from what is waited for. */
const CARRIER_PAUSE = 100;

/** Commands that one program can run. */
interface Group {
  readonly program: string;
  /** The words of each command, without the program. */
  readonly commands: (readonly string[])[];
}

function isNumber(word: string | undefined): boolean {
  return word !== undefined && /^\d/.test(word);
}

function isBatchable(words: readonly string[]): boolean {
  const isPlain = words.every((word) => PLAIN.test(word));
  return isPlain && !words.some((word, index) => NUMBERED.includes(word) && isNumber(words[index + 1]));
}

/** Whether a command can be applied together with others of its program: its options would be those of all of them. */
function isGroupable(program: string, words: readonly string[]): boolean {
  if (words[0]?.startsWith('-') !== false) return false;
  return program === 'ovs-vsctl' || (program === 'ip' && isBatchable(words));
}

/** Commands in their order, with those of a program that follow each other together. */
function groupsOf(vectors: readonly ArgumentVector[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [program = '', ...words] of vectors) {
    const last = groups.at(-1);
    const previous = last?.commands.at(-1);
    const isNext = last?.program === program && previous !== undefined && isGroupable(program, previous);
    if (isNext && isGroupable(program, words)) last.commands.push(words);
    else groups.push({ program, commands: [words] });
  }
  return groups;
}

function batchOf({ commands }: Group): string {
  return commands.map((words) => `${words.join(' ')}\n`).join('');
}

async function prepareGroup(node: LabNode, group: Group): Promise<void> {
  const { program, commands } = group;
  if (program !== 'ip' || commands.length === 1) {
    await node.does([program, ...commands.flatMap((words, index) => (index === 0 ? words : ['--', ...words]))]);
    return;
  }
  const input = batchOf(group);
  const { exitCode, stderr } = await node.run(['ip', '-batch', '-'], { input });
  if (exitCode !== 0) throw new Error(`ip -batch on ${node.name} printed: ${stderr}It was told:\n${input}`);
}

/** Waits until the kernel knows of VLAN devices whether they have a carrier: who looks at them before that sees them change by themselves. */
async function carriersAreKnown(node: LabNode, vectors: readonly ArgumentVector[]): Promise<void> {
  if (!vectors.some((words) => words.includes('vlan'))) return;
  const deadline = performance.now() + CARRIER_DEADLINE;
  const isUnknown = async () =>
    (await node.does(['ip', '-oneline', 'link', 'show', 'up', 'type', 'vlan'])).includes(' state UNKNOWN ');
  while ((await isUnknown()) && performance.now() < deadline) await pause(CARRIER_PAUSE);
}

/**
 * Runs commands that are not what is tested, one after the other, with few programs: what takes time is starting one. Rejects at the first that
 * fails.
 */
export async function prepare(node: LabNode, vectors: readonly ArgumentVector[]): Promise<void> {
  for (const group of groupsOf(vectors)) await prepareGroup(node, group);
  await carriersAreKnown(node, vectors);
}

/** As `prepare`, whether they fail or not. */
export async function attempt(node: LabNode, vectors: readonly ArgumentVector[]): Promise<void> {
  for (const group of groupsOf(vectors)) {
    const { program, commands } = group;
    if (program === 'ip' && commands.length > 1) {
      await node.run(['ip', '-force', '-batch', '-'], { input: batchOf(group) });
    } else await node.runAll(commands.map((words) => [program, ...words]));
  }
  await carriersAreKnown(node, vectors);
}
