/**
 * Writes a ledger to a folder, the first argument, with as many entries as the second one says, and prints the result: in a process of its
 * own, because of its limits and mounts.
 */
import { LedgerFile } from '../../../../src/adapters/ledger-file/ledger-file.ts';
import { emptyLedger } from '../../../../src/domain/snapshot/ledger.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const unknown = Array.from({ length: Number(count) }, (_, number) => ({ kind: 'of-tomorrow', number }));
process.stdout.write(`${JSON.stringify(await new LedgerFile(folder).write({ ...emptyLedger, unknown }, undefined))}\n`);
