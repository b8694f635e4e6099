import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runs } from '../../unit/adapters/processes.ts';

/** The images of all runs of tests, each in a folder that names the process of the run. */
const FOLDERS = resolve(import.meta.dirname, '../../../node_modules/.cache/ovn-uplinks-image');

/** The process that mocha was started as: where files are tested side by side, it has started this one. */
const run = process.env['MOCHA_WORKER_ID'] === undefined ? process.pid : process.ppid;

/** Where the image of a run of tests is. Lab machines see this folder too. */
export const IMAGE_FOLDER = join(FOLDERS, String(run));

/** Removes the image of this run, and those of runs that were killed. */
export function removeImages(): void {
  const others = readdirOrNothing(FOLDERS).filter((name) => !runs(Number(name)));
  for (const name of [String(run), ...others]) rmSync(join(FOLDERS, name), { recursive: true, force: true });
}

function readdirOrNothing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
