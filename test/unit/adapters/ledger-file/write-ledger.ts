/**
 * Writes a ledger into the folder that is named first, of as many entries as are named second, and prints what became of it: in a process of its
 * own, since limits and mounts are a process's.
 */
import { LedgerFile } from '../../../../src/adapters/ledger-file/ledger-file.ts';
import { emptyLedger } from '../../../../src/domain/snapshot/ledger.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const unknown = Array.from({ length: Number(count) }, (_, number) => ({ kind: 'of-tomorrow', number }));
process.stdout.write(`${JSON.stringify(await new LedgerFile(folder).write({ ...emptyLedger, unknown }, undefined))}\n`);
