import { type Command, Option } from 'commander';
import { dump } from 'js-yaml';
import type { Terminal } from './terminal.ts';

/** The formats of `--output`. */
export const outputFormats = ['text', 'json', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Adds the option. */
export function withOutputOption(command: Command): Command {
  return command.addOption(
    new Option('-o, --output <format>', 'text for people, json or yaml for programs')
      .choices(outputFormats)
      .default('text' satisfies OutputFormat),
  );
}

const documentText = {
  json: (document: object) => JSON.stringify(document, null, 2),
  // As JSON has it: without what is undefined.
  yaml: (document: object) => dump(JSON.parse(JSON.stringify(document)), { lineWidth: -1, noRefs: true }).trimEnd(),
} as const;

/** Prints a document for programs. */
export function printDocument(document: object, format: 'json' | 'yaml', terminal: Terminal): void {
  terminal.out(documentText[format](document));
}
