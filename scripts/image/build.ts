/** Writes the image: build.ts archive|tree BASE PLUGIN [OUTPUT]. BASE and PLUGIN are the folders that set-up-image-base and build-cni-plugin print; prints OUTPUT. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { imageConfiguration } from './configuration.ts';
import { writeOciArchive } from './oci-archive.ts';
import { PROGRAM, version, writePluginFiles, writeProgramFiles } from './program-files.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const [form, base = '', plugin = '', output = join(CHECKOUT, `build/ovn-uplinks-${version}.oci.tar`)] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-image-'));
try {
  const tree = join(folder, 'program');
  writeProgramFiles(tree);
  writePluginFiles(tree, plugin);
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync(`/${PROGRAM}`, join(tree, 'usr/bin/ovn-uplinks'));
  if (form === 'tree') {
    mkdirSync(output, { recursive: true });
    for (const part of [join(base, 'debian'), join(base, 'node'), tree])
      execFileSync('cp', ['--archive', '--no-target-directory', part, output]);
  } else {
    const layer = join(folder, 'program.tar');
    execFileSync(join(CHECKOUT, 'scripts/image/write-layer'), [tree, layer]);
    writeOciArchive(output, `ovn-uplinks:${version}`, imageConfiguration(), [
      { file: join(base, 'debian.tar'), createdBy: 'Debian 13 (scripts/set-up-image-base)' },
      { file: join(base, 'node.tar'), createdBy: `Node.js ${process.version} (scripts/set-up-image-base)` },
      { file: layer, createdBy: `ovn-uplinks ${version} (scripts/build-image)` },
    ]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(output);
