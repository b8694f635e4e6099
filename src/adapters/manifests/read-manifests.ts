import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { findFiles, STANDARD_INPUT } from './find-files.ts';
import type { ManifestObject } from './manifest-object.ts';
import { contentsOfText, type ManifestContents } from './manifest-text.ts';
import { type ByteStream, readFileText, readStandardInput } from './read-text.ts';
import { repeatedObjects } from './repeated-objects.ts';

/** Options for reading manifests. */
export interface ReadingOptions {
  /** The stream for the PATH `-`. It is consumed: a second read finds it empty. */
  readonly standardInput?: ByteStream;
  /** Called after each file with the number of files read and the total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Reads the objects in PATHs, with all problems; never throws. */
export async function readManifests(
  paths: readonly string[],
  { standardInput, onProgress }: ReadingOptions,
): Promise<ManifestContents> {
  const { files, problems: pathProblems } = await findFiles(paths);
  const objects: ManifestObject[] = [];
  const problems: InputProblem[] = [...pathProblems];
  const misspelled: InputProblem[] = [];
  const otherKinds = new Map<string, number>();
  for (const [index, file] of files.entries()) {
    const contents = await readFile(file, standardInput);
    for (const object of contents.objects) objects.push(object);
    for (const problem of contents.problems) problems.push(problem);
    for (const problem of contents.misspelled) misspelled.push(problem);
    for (const [kind, count] of contents.otherKinds) otherKinds.set(kind, (otherKinds.get(kind) ?? 0) + count);
    onProgress?.(index + 1, files.length);
  }
  return { objects, problems: [...problems, ...repeatedObjects(objects)], misspelled, otherKinds };
}

async function readFile(file: string, standardInput: ByteStream | undefined): Promise<ManifestContents> {
  const text = await (file === STANDARD_INPUT ? readStream(standardInput) : readFileText(file));
  if (text.read) return contentsOfText(file, text.value);
  return { objects: [], problems: text.problems, misspelled: [], otherKinds: new Map() };
}

async function readStream(stream: ByteStream | undefined): Promise<Reading<string>> {
  if (stream !== undefined) return await readStandardInput(stream);
  return {
    read: false,
    problems: [{ origin: inFile(STANDARD_INPUT), message: 'is standard input, which cannot be read here' }],
  };
}
