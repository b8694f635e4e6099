import type { Reading } from '../../ports/input-problem.ts';
import { listOf, type Reader } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { thenRead } from '../json/readings.ts';
import { setEncapsulationsApart } from './encapsulations.ts';

/**
 * Makes a reader of `ip -json` output out of a reader of its entries.
 *
 * Output that is empty is an empty table: some subcommands print nothing at all where there is nothing to show.
 */
export function tableOf<Entry>(reader: Reader<Entry>): (text: string, file: string) => Reading<readonly Entry[]> {
  const entries = listOf(reader);
  return (text, file) => {
    if (text.trim() === '') return { read: true, value: [] };
    return thenRead(readOutput(text, file), (value) => entries(value, { file, path: '' }));
  };
}

/** The first reading, of the text as it stands, is for the places of syntax errors. */
function readOutput(text: string, file: string): Reading<unknown> {
  const asItStands = readJson(text, file);
  const apart = setEncapsulationsApart(text);
  return apart === text ? asItStands : thenRead(asItStands, () => readJson(apart, file));
}
