import type { Programs } from '../../../src/ports/node/programs.ts';

/** Gives one of the programs another deadline, in milliseconds: the others may be slow on a busy machine. */
export function withShortDeadline(programs: Programs, name: string, deadline: number): Programs {
  return {
    run: (program, programArguments, limits) =>
      programs.run(program, programArguments, program === name ? { deadline } : limits),
  };
}
