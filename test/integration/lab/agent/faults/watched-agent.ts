/**
 * watched-agent.ts FILE N WORDS: the command `ovn-uplinks WORDS`, which says in a file what it has made, a line each, and is killed right after its
 * Nth change has reached the kernel, the database or the disk, before anybody knows of it; never, where N is 0.
 */
import { appendFileSync } from 'node:fs';
import { Command } from 'commander';
import { machineContainer, ports } from '../../../../../src/cmd/container.ts';
import { addNode } from '../../../../../src/cmd/node.ts';
import { processTerminal } from '../../../../../src/cmd/terminal.ts';
import { Changes, watchedPorts } from './watched-ports.ts';

const [file = '', at, ...words] = process.argv.slice(2);

function die(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

const container = machineContainer();
const liveNode = container.get(ports.liveNode);
container.unbind(ports.liveNode);
container.bind(ports.liveNode).toConstantValue((socket) => {
  const changes = new Changes({ at: Number(at), after: die }, (change) => {
    appendFileSync(file, `${change}\n`);
  });
  return watchedPorts(liveNode(socket), changes);
});
const program = new Command('ovn-uplinks');
addNode(program, container, processTerminal());
await program.parseAsync(words, { from: 'user' });
