import { textTable } from '../../../../src/cmd/output/text-table.ts';
import type { LabNode } from '../node.ts';
import { type WireCapture } from '../packets/capture.ts';
import { type Answers, type Exchange, exchange } from '../packets/exchange.ts';
import { lossCounters } from '../packets/loss-counters.ts';
import { print, timed } from './text.ts';

/** Datagrams of each that is to be answered. */
const DATAGRAMS = 500;

/** Port that datagrams are sent from; each that asks has one of its own. */
const FIRST_PORT = 41_000;

/** Datagrams from one address to another, and their expected answers. */
export interface Conversation {
  readonly node: LabNode;
  readonly who: string;
  readonly source: string;
  readonly asked: Pick<Exchange, 'from' | 'to'>;
  /** The answerer, the address that it sees, and the wire of the node that the datagrams take; absent where no answer is expected. */
  readonly expected?: { readonly by: string; readonly seen: string; readonly wire: string };
}

/** A wire of a node. */
export interface Wire {
  readonly name: string;
  readonly node: LabNode;
  readonly start: () => Promise<WireCapture>;
}

/** A wire after a capture, with the ports that datagrams on it were sent from. */
interface CapturedWire extends Wire {
  readonly sourcePorts: ReadonlySet<number>;
}

const portOf = (index: number) => FIRST_PORT + index;

/** Datagrams of each that is not to be answered, which are waited for one after the other. On a busy machine the first one may be lost before the wire. */
const UNANSWERED = 2;

const roundsOf = ({ expected }: Conversation) => (expected === undefined ? UNANSWERED : DATAGRAMS);

/** Has all of them talk at the same time. */
async function outcomesOf(conversations: readonly Conversation[]): Promise<readonly Answers[]> {
  const asked = conversations.map((conversation, index) => ({ conversation, index }));
  const nodes = [...new Set(conversations.map(({ node }) => node))];
  const outcomes = new Map<number, Answers>();
  await Promise.all(
    nodes.map(async (node) => {
      const group = asked.filter(({ conversation }) => conversation.node === node);
      const answers = await exchange(
        node,
        group.map(({ conversation, index }) => ({
          ...conversation.asked,
          protocol: 'udp',
          sourcePort: portOf(index),
          rounds: roundsOf(conversation),
          unanswered: conversation.expected === undefined,
        })),
      );
      for (const [place, { index }] of group.entries()) outcomes.set(index, answers[place]!);
    }),
  );
  return conversations.map((_, index) => outcomes.get(index)!);
}

/** The ports that captured datagrams were sent from; of those in a tunnel, which tcpdump(8) prints behind their tunnel's, those within. */
async function sourcePortsOf(capture: WireCapture): Promise<ReadonlySet<number>> {
  const lines = await capture.packets('udp');
  return new Set(lines.map((line) => Number([...line.matchAll(/\.(\d+) > /g)].at(-1)?.[1])));
}

/** Does some work while wires are captured. */
async function captured<Result>(
  wires: readonly Wire[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly wires: readonly CapturedWire[] }> {
  const captures = new Map<Wire, WireCapture>();
  for (const wire of wires) captures.set(wire, await wire.start());
  const result = await work();
  const found: CapturedWire[] = [];
  for (const [wire, capture] of captures) {
    await capture.stop();
    found.push({ ...wire, sourcePorts: await sourcePortsOf(capture) });
  }
  return { result, wires: found };
}

function isRight({ expected }: Conversation, { answers, lost }: Answers, wires: readonly string[]): boolean {
  const said = Object.keys(answers).map((answer) => answer.split(' ').slice(0, 2).join(' '));
  if (expected === undefined) return said.length === 0;
  const { by, seen, wire } = expected;
  return lost === 0 && said.join() === `${by} ${seen}` && wires.join() === wire;
}

/** Has conversations take place at once, and prints the results. Returns whether all are as expected. */
export async function showPackets(conversations: readonly Conversation[], wires: readonly Wire[]): Promise<boolean> {
  const count = conversations.reduce((sum, conversation) => sum + roundsOf(conversation), 0);
  const { result: outcomes, wires: seenOn } = await captured(wires, () =>
    timed(`${count} datagrams, all at once, and their answers`, () => outcomesOf(conversations)),
  );
  const rows: string[][] = [];
  let areRight = true;
  for (const [index, conversation] of conversations.entries()) {
    const outcome = outcomes[index]!;
    const used = seenOn
      .filter(({ node, sourcePorts }) => node === conversation.node && sourcePorts.has(portOf(index)))
      .map(({ name }) => name);
    if (!isRight(conversation, outcome, used)) {
      areRight = false;
      print(`unexpected: ${JSON.stringify(outcome)}`);
    }
    const [said = 'nobody'] = Object.keys(outcome.answers);
    const [by = '', seen = ''] = said.split(' ');
    const answered = Object.values(outcome.answers).reduce((sum, each) => sum + each, 0);
    rows.push([
      conversation.who,
      conversation.source,
      conversation.asked.to,
      by,
      seen,
      used.join(' and '),
      `${answered} of ${roundsOf(conversation)}`,
    ]);
  }
  const heading = ['FROM', 'ITS ADDRESS', 'TO', 'REACHES', 'WHICH SEES', 'ON WIRE', 'ANSWERED'];
  print('', ...textTable([heading, ...rows]));
  if (!areRight)
    for (const node of new Set(conversations.map((each) => each.node))) print('', await lossCounters(node));
  return areRight;
}
