import { serveCni } from '../../adapters/cni-socket/cni-server.ts';
import type { ServeCni } from '../../ports/pods/cni-agent.ts';

/** How to fix a listen error, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'the agent has to be root, and its folder writable',
  EROFS: 'the file system is read-only: choose another path with --cni-socket',
  EEXIST: 'a file is in the place of its folder: remove it, or choose another path with --cni-socket',
  EINVAL: 'the path is longer than the 107 bytes that a Unix socket may have: choose a shorter one with --cni-socket',
};

/** Serves container runtimes at a socket, and says what to do where that fails. */
export function serveRuntimes(socket: string): ServeCni {
  return async (agent, report) => {
    try {
      const server = await serveCni(socket, agent, report);
      report({ kind: 'serving', socket });
      return server;
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      return `container runtimes cannot be served at ${socket}: ${REMEDIES[code] ?? message}`;
    }
  };
}
