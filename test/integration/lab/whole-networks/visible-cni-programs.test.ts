import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { cniPrograms } from '../../cni/programs.ts';
import { visibleCniPrograms } from './visible-cni-programs.ts';

describe('the programs of CNI that lab machines see', () => {
  const programsIn = (folder: string) =>
    readdirSync(folder).map((name) => [name, statSync(join(folder, name))] as const);

  it('are those that were built, and are written once: machines may be running them', () => {
    const folder = visibleCniPrograms();
    const before = programsIn(folder).map(([name, { ino, ctimeMs }]) => ({ name, ino, ctimeMs }));
    expect(visibleCniPrograms()).to.equal(folder);
    expect(programsIn(folder).map(([name, { ino, ctimeMs }]) => ({ name, ino, ctimeMs }))).to.deep.equal(before);
    for (const name of readdirSync(cniPrograms())) {
      const [seen, built] = [folder, cniPrograms()].map((each) => readFileSync(join(each, name)));
      expect(seen!.equals(built!), name).to.equal(true);
    }
  });
});
