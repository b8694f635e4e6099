import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BundledPackage, bundleCommand, licencesText, manifestOf } from './command-bundle.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** Where the program is in the image. */
export const PROGRAM = 'usr/lib/ovn-uplinks/dist/cmd/main.js';
/** Where the licences of what is bundled with it are. */
export const LICENCES = 'usr/share/doc/ovn-uplinks/THIRD-PARTY.txt';

/** Where the CNI plugin is in the image. */
export const PLUGIN = 'usr/lib/ovn-uplinks/ovn-uplinks-cni';
/** Where the licences of what is linked into it are. */
export const PLUGIN_LICENCES = 'usr/share/doc/ovn-uplinks/THIRD-PARTY-GO.txt';

/** Data that the program reads from its package's folder, beside itself. */
const { version, description } = manifestOf(CHECKOUT);
export { version, description };

/**
 * Writes the files of ovn-uplinks in the image: the program, bundled with the packages that it uses, its command in PATH, and licences.
 *
 * @param tree folder, which need not exist
 * @returns packages in the bundle, by name
 */
export function writeProgramFiles(tree: string): readonly BundledPackage[] {
  const program = join(tree, PROGRAM);
  const packages = bundleCommand(dirname(program));
  // The image has no env(1).
  const shebang = '#!/usr/bin/node';
  writeFileSync(program, readFileSync(program, 'utf8').replace(/^#!.*/, shebang));
  chmodSync(program, 0o755);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  write(LICENCES, licencesText(packages));
  write('usr/share/doc/ovn-uplinks/copyright', readFileSync(join(CHECKOUT, 'LICENSE'), 'utf8'));
  // The program reads its version there.
  write('usr/lib/ovn-uplinks/package.json', `${JSON.stringify({ name: 'ovn-uplinks', version, type: 'module' })}\n`);
  return packages;
}

/**
 * Writes the CNI plugin and the licences of what is linked into it.
 *
 * @param built folder that scripts/build-cni-plugin prints
 */
export function writePluginFiles(tree: string, built: string): void {
  for (const [path, name] of [
    [PLUGIN, 'ovn-uplinks-cni'],
    [PLUGIN_LICENCES, 'THIRD-PARTY.txt'],
  ] as const) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    copyFileSync(join(built, name), join(tree, path));
  }
  chmodSync(join(tree, PLUGIN), 0o755);
}
