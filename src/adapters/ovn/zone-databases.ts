/**
 * The files of the databases of a node that is a zone of OVN of its own (ovn-architecture(7)), before a server opens them.
 *
 * Both databases follow from objects of the cluster, and the Southbound from the Northbound: where one of them is lost, both are created again. That is so where
 * one cannot be converted, too, such as to the schema of an older version.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeFailure, type ProgramFailure, type ProgramResult, type Programs } from '../../ports/node/programs.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** Milliseconds; a node's database is read and written within a second. */
const LIMITS = { deadline: 60_000 };

/** A database of a zone. */
interface ZoneDatabase {
  readonly file: string;
  readonly schema: string;
  readonly name: 'OVN_Northbound' | 'OVN_Southbound';
  /** The table with one row, which a new database needs before anybody reads it: without it ovn-controller ends (tried with 23.03 and 25.03). */
  readonly root: string;
}

/** The databases in a folder: the Northbound, then the Southbound. */
type ZoneDatabases = readonly [ZoneDatabase, ZoneDatabase];

/**
 * The databases in a folder.
 *
 * @param schemas folder of the schemas, by default that of Debian's packages
 */
export function zoneDatabases(folder: string, schemas = '/usr/share/ovn'): ZoneDatabases {
  return [
    {
      file: join(folder, 'ovnnb_db.db'),
      schema: join(schemas, 'ovn-nb.ovsschema'),
      name: 'OVN_Northbound',
      root: 'NB_Global',
    },
    {
      file: join(folder, 'ovnsb_db.db'),
      schema: join(schemas, 'ovn-sb.ovsschema'),
      name: 'OVN_Southbound',
      root: 'SB_Global',
    },
  ];
}

/** The result of `prepareDatabases`. */
export type PrepareResult =
  | { readonly done: true; readonly outcome: 'unchanged' | 'converted' | 'created' }
  | Exclude<ApplyResult, { readonly done: true }>;

type State = 'usable' | 'converted' | 'unusable';

/**
 * Creates databases in a folder, which is created if missing, unless both are there and can be read, and converts those of another version of OVN to the
 * schema of this one. A file that cannot be read or converted is kept, with `.unusable` appended to its name. No server may have them open. Never rejects.
 */
export async function prepareDatabases(
  programs: Programs,
  folder: string,
  databases: ZoneDatabases = zoneDatabases(folder),
): Promise<PrepareResult> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const states = await Promise.all(databases.map((database) => convertedState(programs, database)));
    const [northbound, southbound] = databases;
    if (states.includes('unusable')) {
      // The Southbound is removed first and made last: after a crash it is missing, so that both are made again.
      for (const [index, { file }] of [
        [1, southbound],
        [0, northbound],
      ] as const) {
        if (states[index] === 'unusable') await setAside(file);
        else await rm(file);
      }
      await create(programs, northbound);
      await create(programs, southbound);
      return { done: true, outcome: 'created' };
    }
    return { done: true, outcome: states.includes('converted') ? 'converted' : 'unchanged' };
  } catch (error) {
    return { done: false, error: fileError(error) };
  }
}

function tool(programs: Programs, words: readonly string[]): Promise<ProgramResult> {
  return programs.run('ovsdb-tool', words, LIMITS);
}

/** @returns rejects with why it failed */
async function run(programs: Programs, words: readonly string[]): Promise<void> {
  const result = await tool(programs, words);
  if (result.outcome !== 'finished') throw failureOf(words, result);
}

const failureOf = (words: readonly string[], result: ProgramFailure) =>
  new Error(`ovsdb-tool ${words.join(' ')} ${describeFailure(result)}`);

/** Output of the program; undefined if it refuses the files. Rejects with why it failed for another reason. */
async function answerOf(programs: Programs, words: readonly string[]): Promise<string | undefined> {
  const result = await tool(programs, words);
  if (result.outcome === 'finished') return new TextDecoder().decode(result.stdout).trim();
  if (result.outcome === 'failed') return undefined;
  throw failureOf(words, result);
}

/** Converts a database to its schema. */
async function convertedState(programs: Programs, { file, schema }: ZoneDatabase): Promise<State> {
  const answer = await answerOf(programs, ['needs-conversion', file, schema]);
  if (answer === undefined) return 'unusable';
  if (answer !== 'yes') return 'usable';
  // An interrupted conversion leaves it, and ovsdb-tool may refuse to replace it (ovsdb/ovsdb-tool.c, compact_or_convert).
  await rm(`${file}.tmp`, { force: true });
  return (await answerOf(programs, ['convert', file, schema])) === undefined ? 'unusable' : 'converted';
}

/** Keeps a file under another name, if there is one. */
async function setAside(file: string): Promise<void> {
  try {
    await rename(file, `${file}.unusable`);
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) throw error;
  }
}

async function create(programs: Programs, { file, schema, name, root }: ZoneDatabase): Promise<void> {
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  await run(programs, ['create', unfinished, schema]);
  await run(programs, ['transact', unfinished, JSON.stringify([name, { op: 'insert', table: root, row: {} }])]);
  await rename(unfinished, file);
}
