import { Machine } from './machine.ts';

let starting: Promise<Machine> | undefined;

/** The machine that all scenarios of a test run share, started when the first one needs it, stopped after the last test. */
export function sharedMachine(): Promise<Machine> {
  return (starting ??= Machine.start());
}

after(async () => {
  // One that did not start has told the test that needed it.
  const machine = await starting?.catch(() => undefined);
  await machine?.stop();
});
