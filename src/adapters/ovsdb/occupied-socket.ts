import { fileError, isFileError } from '../file-system/file-error.ts';
import { openSocket } from './socket.ts';
import { USUAL_TIMING } from './timing.ts';

/**
 * Why a server must not listen at the path of a Unix socket, as ovsdb-server takes it away from another server without a word: one listens there, or that
 * cannot be found out. Undefined where none does, which includes a socket that a former server has left. Never rejects.
 */
export async function occupiedSocket(path: string): Promise<string | undefined> {
  try {
    const socket = await openSocket({ kind: 'unix', path, text: `unix:${path}` }, USUAL_TIMING);
    socket.destroy();
    return `another server listens at ${path}`;
  } catch (error) {
    if (isFileError(error, 'ENOENT') || isFileError(error, 'ECONNREFUSED')) return undefined;
    return `whether another server listens at ${path} is not known: ${fileError(error)}`;
  }
}
