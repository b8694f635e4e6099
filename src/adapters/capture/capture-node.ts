import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { describeFailure, type ProgramLimits, type ProgramResult, type Programs } from '../../ports/programs.ts';
import { fileError } from '../file-system/file-error.ts';
import { BRIDGE_FILES, BRIDGE_LIST, type CapturedFile, commandLine, fileOfBridge, NODE_FILES } from './layout.ts';
import { makeFolder } from './new-folder.ts';

/** Default deadline of each program: usually well under a second, a few seconds on a large node. */
const DEFAULT_LIMITS: ProgramLimits = { deadline: 30_000 };

/** Parameters of a capture. */
interface Capture {
  readonly programs: Programs;
  readonly limits: ProgramLimits;
  /** The folder as named in problems. */
  readonly directory: string;
  /** The temporary folder. */
  readonly temporary: string;
}

/**
 * Captures the node that this process runs on, in the layout that `CapturedNode` reads: the unedited output of each program. Changes nothing.
 *
 * @param directory a folder that does not exist yet, or is empty
 * @param limits of each program
 * @returns every problem; the folder exists only if there is none
 */
export async function captureNode(
  directory: string,
  programs: Programs,
  limits: ProgramLimits = DEFAULT_LIMITS,
): Promise<readonly InputProblem[]> {
  return makeFolder(directory, async (temporary) => {
    const capture: Capture = { programs, limits, directory, temporary };
    const ofNode = Object.values<CapturedFile>(NODE_FILES).map((file) => captureFile(file, capture));
    const problems = await Promise.all([...ofNode, captureBridges(capture)]);
    return problems.flat();
  });
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
  const output = keptOutput(
    captured,
    file,
    await capture.programs.run(captured.program, captured.arguments, capture.limits),
  );
  if (!output.read) return output.problems;
  if (output.value === undefined) return [];
  try {
    const path = join(capture.temporary, captured.file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, output.value, { flush: true });
    return [];
  } catch (error) {
    return [{ origin: inFile(file), message: `cannot be written: ${fileError(error)}` }];
  }
}

/** The content of a file; absent for a file that is left out. */
function keptOutput(captured: CapturedFile, file: string, result: ProgramResult): Reading<Uint8Array | undefined> {
  const { failure = 'fatal', lines } = captured;
  if (result.outcome === 'finished' || (result.outcome === 'failed' && failure === 'tolerated')) {
    return { read: true, value: lines === undefined ? result.stdout : matchingLines(result.stdout, lines) };
  }
  const absent = result.outcome === 'failed' || result.outcome === 'not-found';
  if (absent && failure === 'left-out') return { read: true, value: undefined };
  return {
    read: false,
    problems: [{ origin: inFile(file), message: `"${commandLine(captured)}" ${describeFailure(result)}` }],
  };
}

function matchingLines(bytes: Uint8Array, pattern: RegExp): Uint8Array {
  // Latin-1 preserves every byte: device names need not be UTF-8.
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/);
  return Buffer.from(lines.filter((line) => pattern.test(line)).join(''), 'latin1');
}
