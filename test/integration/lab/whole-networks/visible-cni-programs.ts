import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { cniPrograms } from '../../cni/programs.ts';

/** Machines of all userlands see the packages of the checkout. */
const VISIBLE = resolve(import.meta.dirname, '../../../../node_modules/.cache/ovn-uplinks-lab');

/**
 * The folder in which nodes see the programs of CNI; they are copied there once. What is there is never written again: a machine that reads a program at that
 * moment, to run it, would get zeros for what is not written yet, or no page at all, and keep that.
 */
export function visibleCniPrograms(): string {
  const programs = cniPrograms();
  const folder = join(VISIBLE, basename(programs));
  if (existsSync(folder)) return folder;
  mkdirSync(VISIBLE, { recursive: true });
  const copy = mkdtempSync(`${folder}-`);
  cpSync(programs, copy, { recursive: true });
  try {
    renameSync(copy, folder);
  } catch (error) {
    // Another process of the tests was first.
    rmSync(copy, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
