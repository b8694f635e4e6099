import type { ArgumentVector } from './node.ts';

/** Stands for what is inserted: the one character that no argument can hold. */
const INSERTED = '\0';

function tagOf(program: string) {
  return (texts: TemplateStringsArray, ...inserted: readonly (string | number)[]): ArgumentVector => {
    const values = inserted.values();
    const words = texts.join(INSERTED).trim().split(/\s+/);
    return [program, ...words.map((word) => word.replaceAll(INSERTED, () => String(values.next().value)))];
  };
}

/** An argument vector of ip(8), written as on a command line: words end at blanks, and what is inserted stays whole. */
export const ip = tagOf('ip');

/** As `ip`, of ovs-vsctl(8). */
export const ovsVsctl = tagOf('ovs-vsctl');

/** As `ip`, of sysctl(8). */
export const sysctl = tagOf('sysctl');
