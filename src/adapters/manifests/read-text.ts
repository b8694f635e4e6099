import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { describeFileSystemError } from './file-system-error.ts';
import { describeSpecialFile } from './file-type.ts';
import { STANDARD_INPUT } from './find-files.ts';
import { decodeText } from './text-encoding.ts';

/** Maximum size of an input, in bytes. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

const tooLarge = 'more than the limit of 64 MiB; split it into several files';

/** A stream of bytes, such as `process.stdin`. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** Reads the text of a file. Rejects a file that is too large, or not a regular file, before it reads a byte; never throws. */
export async function readFileText(file: string): Promise<Reading<string>> {
  const bytes = await readBytes(file).catch((error: unknown) => describeFileSystemError(error));
  return textOf(file, bytes);
}

/** Reads standard input up to its end or the limit; never throws. */
export async function readStandardInput(stream: ByteStream): Promise<Reading<string>> {
  const bytes = await collect(stream).catch((error: unknown) => describeFileSystemError(error));
  return textOf(STANDARD_INPUT, bytes);
}

function textOf(file: string, bytes: Uint8Array | string): Reading<string> {
  if (typeof bytes === 'string') return { read: false, problems: [{ origin: inFile(file), message: bytes }] };
  const decoding = decodeText(bytes);
  return decoding.decoded
    ? { read: true, value: decoding.text }
    : { read: false, problems: [{ origin: inFile(file), message: decoding.message }] };
}

/** The bytes, or why they cannot be read. */
async function readBytes(file: string): Promise<Uint8Array | string> {
  // A named pipe that replaced the file since it was found must not block.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await readRegularFile(handle);
  } finally {
    await handle.close();
  }
}

async function readRegularFile(handle: FileHandle): Promise<Uint8Array | string> {
  const stats = await handle.stat();
  const special = describeSpecialFile(stats);
  if (special !== undefined) return special;
  if (stats.size > MAX_INPUT_BYTES) return `has ${stats.size} bytes, ${tooLarge}`;
  return await handle.readFile();
}

async function collect(stream: ByteStream): Promise<Uint8Array | string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) return `is ${tooLarge}`;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
