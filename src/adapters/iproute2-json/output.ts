import type { Reading } from '../../ports/input-problem.ts';
import { listOf, type Reader } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { thenRead } from '../json/readings.ts';

/**
 * Makes a reader of `ip -json` output out of a reader of its entries.
 *
 * Output that is empty is an empty table: some subcommands print nothing at all where there is nothing to show.
 */
export function tableOf<Entry>(reader: Reader<Entry>): (text: string, file: string) => Reading<readonly Entry[]> {
  const entries = listOf(reader);
  return (text, file) => {
    if (text.trim() === '') return { read: true, value: [] };
    return thenRead(readJson(text, file), (value) => entries(value, { file, path: '' }));
  };
}
