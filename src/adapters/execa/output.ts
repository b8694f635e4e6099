import type { Readable } from 'node:stream';

/**
 * The output of a program on a stream, up to a limit in bytes; absent beyond it, and then the stream is closed at once to bound memory. Never
 * rejects: of a stream that is closed early it returns what was read.
 */
export function outputOf(stream: Readable, limit: number): Promise<Uint8Array | undefined> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > limit) stream.destroy();
    else chunks.push(chunk);
  });
  stream.on('close', () => {
    resolve(size > limit ? undefined : Buffer.concat(chunks));
  });
  return promise;
}
