/**
 * watched-agent.ts FILE N WORDS: runs `ovn-uplinks WORDS` and writes each applied operation to a file, as a line. Is killed right after its
 * Nth change has reached the kernel, the database or the disk, before the loop knows of it; never if N is 0.
 */
import { appendFileSync } from 'node:fs';
import { Command } from 'commander';
import { ports } from '../../../../../src/cmd/ports/container.ts';
import { machineContainer } from '../../../../../src/cmd/ports/machine-container.ts';
import { addNode } from '../../../../../src/cmd/commands/node.ts';
import { processTerminal } from '../../../../../src/cmd/output/terminal.ts';
import { Changes, watchedPorts } from './watched-ports.ts';

const [file = '', at, ...words] = process.argv.slice(2);

function die(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

const container = machineContainer();
const liveNode = container.get(ports.liveNode);
container.unbind(ports.liveNode);
container.bind(ports.liveNode).toConstantValue((...given) => {
  const changes = new Changes({ at: Number(at), after: die }, (change) => {
    appendFileSync(file, `${change}\n`);
  });
  return watchedPorts(liveNode(...given), changes);
});
const program = new Command('ovn-uplinks');
addNode(program, container, processTerminal());
await program.parseAsync(words, { from: 'user' });
