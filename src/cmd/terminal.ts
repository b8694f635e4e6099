import { styleText } from 'node:util';

/** The output of a command. */
export interface Terminal {
  /** Prints results on standard output. */
  out(text: string): void;
  /** Prints messages on standard error. */
  err(text: string): void;
  /** Whether colours and progress bars are allowed. */
  readonly colours: boolean;
  readonly progress: boolean;
}

/** The terminal of this process, with colours if it is interactive and NO_COLOR is not set. */
export function processTerminal(): Terminal {
  const plain = (process.env['NO_COLOR'] ?? '') !== '';
  return {
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    colours: process.stdout.isTTY && !plain,
    progress: process.stderr.isTTY,
  };
}

/** Colours text. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  changed(text: string): string;
  heading(text: string): string;
  faint(text: string): string;
}

/** The palette of a terminal. */
export function paletteOf({ colours }: Terminal): Palette {
  const paint = (style: 'green' | 'red' | 'yellow' | 'bold' | 'dim') => (text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  return {
    good: paint('green'),
    bad: paint('red'),
    changed: paint('yellow'),
    heading: paint('bold'),
    faint: paint('dim'),
  };
}
