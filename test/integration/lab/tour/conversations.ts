import { textTable } from '../../../../src/cmd/text-table.ts';
import type { LabNode } from '../node.ts';
import { type WireCapture } from '../packets/capture.ts';
import { type Answers, type Exchange, exchange } from '../packets/exchange.ts';
import { print, timed } from './text.ts';

/** Datagrams of each that is to be answered. */
const DATAGRAMS = 500;

/** Port that datagrams are sent from; each that asks has one of its own. */
const FIRST_PORT = 41_000;

/** Datagrams from one address to another, and what is to become of them. */
export interface Conversation {
  readonly node: LabNode;
  readonly who: string;
  readonly source: string;
  readonly asked: Pick<Exchange, 'from' | 'to'>;
  /** Who is to answer, which address it is to see, and by which wire of the node; absent where nobody is to answer. */
  readonly expected?: { readonly by: string; readonly seen: string; readonly wire: string };
}

/** A wire of a node, and the filter (pcap-filter(7)) that precedes that of a packet in it, such as of a tunnel. */
export interface Wire {
  readonly name: string;
  readonly node: LabNode;
  readonly start: () => Promise<WireCapture>;
  readonly within?: string;
}

/** A wire while it is captured. */
interface CapturedWire extends Wire {
  readonly capture: WireCapture;
}

const portOf = (index: number) => FIRST_PORT + index;

/** Datagrams that nobody answers are waited for one after the other. */
const roundsOf = ({ expected }: Conversation) => (expected === undefined ? 1 : DATAGRAMS);

/** Has all of them talk at the same time, those that nobody answers beside the others. */
async function outcomesOf(conversations: readonly Conversation[]): Promise<readonly Answers[]> {
  const asked = conversations.map((conversation, index) => ({ conversation, index }));
  const nodes = [...new Set(conversations.map(({ node }) => node))];
  const groups = [
    ...nodes.map((node) =>
      asked.filter(({ conversation }) => conversation.node === node && conversation.expected !== undefined),
    ),
    ...asked.filter(({ conversation }) => conversation.expected === undefined).map((each) => [each]),
  ].filter(({ length }) => length > 0);
  const outcomes = new Map<number, Answers>();
  await Promise.all(
    groups.map(async (group) => {
      const answers = await exchange(
        group[0]!.conversation.node,
        group.map(({ conversation, index }) => ({
          ...conversation.asked,
          protocol: 'udp',
          sourcePort: portOf(index),
          rounds: roundsOf(conversation),
        })),
      );
      for (const [place, { index }] of group.entries()) outcomes.set(index, answers[place]!);
    }),
  );
  return conversations.map((_, index) => outcomes.get(index)!);
}

/** The wires of its node on which datagrams of a conversation were seen. */
async function wiresOf({ node }: Conversation, port: number, wires: readonly CapturedWire[]) {
  const seen = await Promise.all(
    wires
      .filter((wire) => wire.node === node)
      .map(async ({ name, capture, within }) => {
        const filter = `udp and src port ${port}`;
        return { name, packets: await capture.packets(within === undefined ? filter : `${within} and ${filter}`) };
      }),
  );
  return seen.filter(({ packets }) => packets.length > 0).map(({ name }) => name);
}

function isRight({ expected }: Conversation, { answers, lost }: Answers, wires: readonly string[]): boolean {
  const said = Object.keys(answers).map((answer) => answer.split(' ').slice(0, 2).join(' '));
  if (expected === undefined) return said.length === 0;
  const { by, seen, wire } = expected;
  return lost === 0 && said.join() === `${by} ${seen}` && wires.join() === wire;
}

/** Has conversations take place at once, and prints what became of them. Returns whether all is as it should be. */
export async function showPackets(conversations: readonly Conversation[], wires: readonly Wire[]): Promise<boolean> {
  const captured: CapturedWire[] = [];
  for (const wire of wires) captured.push({ ...wire, capture: await wire.start() });
  const count = conversations.reduce((sum, conversation) => sum + roundsOf(conversation), 0);
  const outcomes = await timed(`${count} datagrams, all at once, and their answers`, () => outcomesOf(conversations));
  for (const { capture } of captured) await capture.stop();
  const rows: string[][] = [];
  let areRight = true;
  for (const [index, conversation] of conversations.entries()) {
    const outcome = outcomes[index]!;
    const used = await wiresOf(conversation, portOf(index), captured);
    areRight = isRight(conversation, outcome, used) && areRight;
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
  return areRight;
}
