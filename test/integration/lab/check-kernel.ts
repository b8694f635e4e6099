/**
 * Starts a lab machine with a kernel, and ends it. Where it does not start, prints why in a line and exits with status 1:
 *
 * check-kernel.ts PATH
 */
import { Machine } from './machine.ts';

const [kernel = ''] = process.argv.slice(2);
try {
  const machine = await Machine.start({ kernel, userland: 'host' });
  await machine.stop();
} catch (error) {
  const [what, firstOfConsole = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  console.error(`${what} ${firstOfConsole}`.trimEnd());
  process.exitCode = 1;
}
