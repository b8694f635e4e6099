import type { Hop, Trace, TraceVerdict } from '../../domain/explanation/trace/hop.ts';
import type { Palette } from '../output/terminal.ts';
import type { FrameCheck } from './trace-check.ts';
import { printable, textTable } from '../output/text-table.ts';

const originTexts = { pod: 'from a pod', host: 'from the host', wire: 'from the wire' } as const;

function headline({ network, node, planned, packet, from, replyTo }: Trace): string {
  const when = planned ? ', as planned' : '';
  const answered = replyTo === undefined ? '' : `, in reply to ${replyTo}`;
  return `${network} on ${node}${when}: ${packet} ${originTexts[from]}${answered}`;
}

/** How a packet ended, for people. */
export function traceVerdictText(verdict: TraceVerdict): string {
  switch (verdict.kind) {
    case 'arrives':
      return `arrives at ${verdict.at}`;
    case 'leaves':
      return `leaves by ${verdict.by}`;
    case 'dropped':
      return `dropped at ${verdict.where}: ${verdict.why}`;
  }
}

/** Hops, a line for each. */
export function hopLines(hops: readonly Hop[], palette: Palette): readonly string[] {
  return textTable(
    hops.map(({ node, where, change, why }) => [
      printable(node === undefined ? where : `${node}: ${where}`),
      printable(change),
      palette.faint(why),
    ]),
    palette.columns,
  );
}

function endLine(verdict: TraceVerdict, palette: Palette): string {
  const text = traceVerdictText(verdict);
  return verdict.kind === 'dropped' ? palette.bad(text) : palette.good(text);
}

/** The path of a packet, a line for each hop, and that of the answer to it if it was followed. */
export function traceLines(trace: Trace, palette: Palette): readonly string[] {
  const { hops, verdict, reply, remarks = [], assumptions } = trace;
  return [
    palette.heading(headline(trace)),
    ...hopLines(hops, palette),
    ...remarks.map((remark) => printable(`note: ${remark}`)),
    ...assumptions.map((assumption) => printable(`assumed: ${assumption}`)),
    endLine(verdict, palette),
    ...(reply === undefined
      ? []
      : [
          palette.heading(`its reply: ${reply.packet}`),
          ...hopLines(reply.hops, palette),
          endLine(reply.verdict, palette),
        ]),
  ];
}

/** How the running switch traced the same frames, a line for each frame and each difference. */
export function checkLines(checks: readonly FrameCheck[], palette: Palette): readonly string[] {
  return checks.flatMap(({ bridge, frame, differences }) => [
    printable(`checked on ${bridge}: ${frame}`),
    ...(differences.length === 0
      ? [`  ${palette.good('the switch does the same')}`]
      : differences.map((difference) => `  ${palette.bad(difference)}`)),
  ]);
}
