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
function traceVerdictText(verdict: TraceVerdict): string {
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

/** The path of a packet, a line for each hop. */
export function traceLines(trace: Trace, palette: Palette): readonly string[] {
  const end = traceVerdictText(trace.verdict);
  return [
    palette.heading(headline(trace)),
    ...hopLines(trace.hops, palette),
    ...trace.assumptions.map((assumption) => printable(`assumed: ${assumption}`)),
    trace.verdict.kind === 'dropped' ? palette.bad(end) : palette.good(end),
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
