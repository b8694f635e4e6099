import type { Readable } from 'node:stream';

/**
 * Everything that a program prints on a stream, up to a limit in bytes; absent where it printed more, and then the stream is
 * closed at once, so that memory stays bounded. Never rejects: a stream that is closed early gives what it gave.
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
