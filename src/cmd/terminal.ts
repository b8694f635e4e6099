import { styleText } from 'node:util';

/** Where a command prints. */
export interface Terminal {
  /** Standard output: what was asked for. */
  out(text: string): void;
  /** Standard error: what a person should know besides. */
  err(text: string): void;
  /** Whether colours and progress bars may be used there. */
  readonly colours: boolean;
  readonly progress: boolean;
}

/** The terminal of this process. Colours never with NO_COLOR, and only where a person looks. */
export function processTerminal(): Terminal {
  const plain = (process.env['NO_COLOR'] ?? '') !== '';
  return {
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    colours: process.stdout.isTTY && !plain,
    progress: process.stderr.isTTY,
  };
}

/** Paints text, where that is wanted. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  changed(text: string): string;
  heading(text: string): string;
  faint(text: string): string;
}

/** The colours of a terminal, or none. */
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
