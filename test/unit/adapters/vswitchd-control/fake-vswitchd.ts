import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** A command as it is sent to the control socket. */
export interface Command {
  readonly method: string;
  readonly params: readonly string[];
  readonly id: number;
}

/** The answer to a command: text that it prints, none if it is absent, or why it is refused. */
export interface CommandAnswer {
  readonly result?: string;
  readonly error?: string;
}

/** Starts an ovs-vswitchd that answers at its control socket, or ends while it has a command. */
export async function startVswitchd(
  folder: string,
  answer: (command: Command) => CommandAnswer | 'ends' | undefined,
): Promise<Server> {
  writeFileSync(join(folder, 'ovs-vswitchd.pid'), '1\n');
  const server = createServer((socket) =>
    socket.on('data', (bytes) => {
      const command = JSON.parse(bytes.toString()) as Command;
      const given = answer(command);
      if (given === 'ends') socket.destroy();
      else socket.write(JSON.stringify({ id: command.id, result: '', error: null, ...given }));
    }),
  ).listen(join(folder, 'ovs-vswitchd.1.ctl'));
  await once(server, 'listening');
  return server;
}
