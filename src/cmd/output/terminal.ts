import { styleText } from 'node:util';
import { printable } from './text-table.ts';

/** The output of a command. */
export interface Terminal {
  /** Prints results on standard output. */
  out(text: string): void;
  /** Prints messages on standard error. */
  err(text: string): void;
  /** Whether colours and progress bars are allowed. */
  readonly colours: boolean;
  readonly progress: boolean;
  /** How wide lines may be; absent where they are not written to a terminal. */
  readonly columns?: number | undefined;
}

/** The terminal of this process, with colours where Node.js has them: on a terminal that has colours, or as NO_COLOR, FORCE_COLOR and TERM say. */
export function processTerminal(): Terminal {
  return {
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    colours: styleText('bold', 'text', { stream: process.stdout }) !== 'text',
    progress: process.stderr.isTTY,
    // Some terminals do not know how wide they are, and say 0.
    columns: process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined,
  };
}

/** How text is shown: its colours, and how wide it may be. Control characters are escaped before text is coloured: what has colours already is not coloured again. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  changed(text: string): string;
  heading(text: string): string;
  faint(text: string): string;
  /** Columns of the terminal, as in `Terminal`. */
  readonly columns: number | undefined;
}

/** The palette of a terminal. */
export function paletteOf({ colours, columns }: Terminal): Palette {
  const paint = (style: 'green' | 'red' | 'yellow' | 'bold' | 'dim') => (text: string) =>
    colours && text !== '' ? styleText(style, printable(text), { validateStream: false }) : printable(text);
  return {
    good: paint('green'),
    bad: paint('red'),
    changed: paint('yellow'),
    heading: paint('bold'),
    faint: paint('dim'),
    columns,
  };
}
