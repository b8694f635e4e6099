import type { Programs } from '../../../src/ports/programs.ts';

/** Programs of which one has a deadline of its own, in milliseconds: the others may be slow on a busy machine. */
export function withShortDeadline(programs: Programs, hurried: string, deadline: number): Programs {
  return {
    run: (program, programArguments, limits) =>
      programs.run(program, programArguments, program === hurried ? { deadline } : limits),
  };
}
