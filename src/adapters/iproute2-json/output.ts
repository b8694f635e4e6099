import type { Reading } from '../../ports/input-problem.ts';
import { listOf, type Reader } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { thenRead } from '../../ports/readings.ts';
import { renameEncapsulationFields } from './encapsulations.ts';

/**
 * A reader of `ip -json` output from a reader of its entries.
 *
 * Empty output is an empty table, as some subcommands print.
 */
export function tableOf<Entry>(reader: Reader<Entry>): (text: string, file: string) => Reading<readonly Entry[]> {
  const entries = listOf(reader);
  return (text, file) => {
    if (text.trim() === '') return { read: true, value: [] };
    return thenRead(readOutput(text, file), (value) => entries(value, { file, path: '' }));
  };
}

/** Parses the original text first, for the positions of syntax errors. */
function readOutput(text: string, file: string): Reading<unknown> {
  const original = readJson(text, file);
  const renamed = renameEncapsulationFields(text);
  return renamed === text ? original : thenRead(original, () => readJson(renamed, file));
}
