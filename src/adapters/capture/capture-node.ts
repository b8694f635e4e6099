import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import {
  describeFailure,
  type ProgramFailure,
  type ProgramLimits,
  type ProgramResult,
  type Programs,
} from '../../ports/node/programs.ts';
import { fileError } from '../file-system/file-error.ts';
import { BRIDGE_FILES, BRIDGE_LIST, type CapturedFile, commandLine, fileOfBridge, NODE_FILES } from './layout.ts';
import { makeFolder } from './new-folder.ts';

/** Default deadline of each program: usually well under a second, a few seconds on a large node. */
const DEFAULT_LIMITS: ProgramLimits = { deadline: 30_000 };

/** Choices of a capture. */
export interface CaptureOptions {
  /** Limits of each program. */
  readonly limits?: ProgramLimits;
  /** The files of OVN's databases, as of `northboundDump` and `southboundSelection`; none by default. */
  readonly databases?: readonly CapturedFile[];
}

/** The result of a capture. */
export interface CaptureResult {
  /** The folder exists only if there is none. */
  readonly problems: readonly InputProblem[];
  /** Parts that the folder does not contain though they were asked for. */
  readonly warnings: readonly InputProblem[];
}

/** Parameters of a capture. */
interface Capture {
  readonly programs: Programs;
  readonly limits: ProgramLimits;
  /** The folder as named in problems. */
  readonly directory: string;
  /** The temporary folder. */
  readonly temporary: string;
  /** Takes a warning. */
  readonly warn: (warning: InputProblem) => void;
}

/**
 * Captures the node that this process runs on, in the layout that `CapturedNode` reads: the unedited output of each program. Changes nothing.
 *
 * @param directory a folder that does not exist yet, or is empty
 */
export async function captureNode(
  directory: string,
  programs: Programs,
  { limits = DEFAULT_LIMITS, databases = [] }: CaptureOptions = {},
): Promise<CaptureResult> {
  const warnings: InputProblem[] = [];
  const files = [...Object.values<CapturedFile>(NODE_FILES), ...databases];
  const problems = await makeFolder(directory, async (temporary) => {
    const warn = (warning: InputProblem): void => void warnings.push(warning);
    const capture: Capture = { programs, limits, directory, temporary, warn };
    const ofNode = files.map((file) => captureFile(file, capture));
    const found = await Promise.all([...ofNode, captureBridges(capture)]);
    return found.flat();
  });
  return { problems, warnings: problems.length === 0 ? warnings : [] };
}

/** One bridge after the other: a node can have hundreds, and each takes three programs. */
async function captureBridges(capture: Capture): Promise<readonly InputProblem[]> {
  const result = await capture.programs.run(BRIDGE_LIST.program, BRIDGE_LIST.arguments, capture.limits);
  if (result.outcome !== 'finished') {
    return [{ origin: inFile(capture.directory), message: `"${commandLine(BRIDGE_LIST)}" ${describeFailure(result)}` }];
  }
  const bridges = new TextDecoder()
    .decode(result.stdout)
    .split('\n')
    .filter((name) => name !== '');
  const problems: InputProblem[] = [];
  for (const bridge of bridges) problems.push(...(await captureBridge(bridge, capture)));
  return problems;
}

async function captureBridge(bridge: string, capture: Capture): Promise<readonly InputProblem[]> {
  if (bridge.includes('/')) {
    return [
      {
        origin: inFile(capture.directory, `Bridge/${bridge}`),
        message: 'has a name with a slash, which no file can have',
      },
    ];
  }
  const files = Object.values(BRIDGE_FILES).map((template) => captureFile(fileOfBridge(template, bridge), capture));
  return (await Promise.all(files)).flat();
}

async function captureFile(captured: CapturedFile, capture: Capture): Promise<readonly InputProblem[]> {
  const file = join(capture.directory, captured.file);
  const kept = keptOutput(captured, await capture.programs.run(captured.program, captured.arguments, capture.limits));
  if (kept.outcome === 'left-out') return [];
  if (kept.outcome !== 'kept') {
    const hint = captured.hint === undefined ? '' : `; ${captured.hint}`;
    const message = `"${commandLine(captured)}" ${describeFailure(kept.failure)}${hint}`;
    const problem: InputProblem = { origin: inFile(file), message };
    if (kept.outcome === 'fatal') return [problem];
    capture.warn(problem);
    return [];
  }
  try {
    const path = join(capture.temporary, captured.file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, kept.content, { flush: true });
    return [];
  } catch (error) {
    return [{ origin: inFile(file), message: `cannot be written: ${fileError(error)}` }];
  }
}

/** The content of a file, or how the capture continues without it. */
type KeptOutput =
  | { readonly outcome: 'kept'; readonly content: Uint8Array }
  | { readonly outcome: 'fatal' | 'left-out' | 'warned'; readonly failure: ProgramFailure };

function keptOutput({ failure = 'fatal', lines }: CapturedFile, result: ProgramResult): KeptOutput {
  if (result.outcome === 'finished' || (result.outcome === 'failed' && failure === 'tolerated')) {
    return { outcome: 'kept', content: lines === undefined ? result.stdout : matchingLines(result.stdout, lines) };
  }
  const isAbsent = result.outcome === 'failed' || result.outcome === 'not-found';
  return { outcome: isAbsent && failure !== 'tolerated' ? failure : 'fatal', failure: result };
}

function matchingLines(bytes: Uint8Array, pattern: RegExp): Uint8Array {
  // Latin-1 preserves every byte: device names need not be UTF-8.
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/);
  return Buffer.from(lines.filter((line) => pattern.test(line)).join(''), 'latin1');
}
