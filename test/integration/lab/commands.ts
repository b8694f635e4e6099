import type { ArgumentVector } from './node.ts';

/** A placeholder for inserted values: the only character that no argument can contain. */
const PLACEHOLDER = '\0';

function tagOf(program: string) {
  return (texts: TemplateStringsArray, ...inserted: readonly (string | number)[]): ArgumentVector => {
    const values = inserted.values();
    const words = texts.join(PLACEHOLDER).trim().split(/\s+/);
    return [program, ...words.map((word) => word.replaceAll(PLACEHOLDER, () => String(values.next().value)))];
  };
}

/** An argument vector of ip(8), written as a command line: words end at blanks, and inserted values are not split. */
export const ip = tagOf('ip');

/** An argument vector of ovs-vsctl(8), written like one of ip(8). */
export const ovsVsctl = tagOf('ovs-vsctl');

/** An argument vector of sysctl(8), written like one of ip(8). */
export const sysctl = tagOf('sysctl');

/** An argument vector of mount(8), written like one of ip(8). */
export const mount = tagOf('mount');

/** An argument vector of umount(8), written like one of ip(8). */
export const umount = tagOf('umount');
