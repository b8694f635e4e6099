import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { BUNDLER_OPTIONS } from './bundler-options.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** Where the program is in the image. */
export const PROGRAM = 'usr/lib/ovn-uplinks/dist/cmd/main.js';
/** Where the licences of what is bundled with it are. */
export const LICENCES = 'usr/share/doc/ovn-uplinks/THIRD-PARTY.txt';

/** Where the CNI plugin is in the image. */
export const PLUGIN = 'usr/lib/ovn-uplinks/ovn-uplinks-cni';
/** Where the licences of what is linked into it are. */
export const PLUGIN_LICENCES = 'usr/share/doc/ovn-uplinks/THIRD-PARTY-GO.txt';

/** A package of npm that is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folder of the package that a file belongs to; a package.json without a name only says which modules are in a folder. */
function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || (manifestOf(folder) as Partial<Manifest>).name === undefined) {
    folder = dirname(folder);
  }
  return folder;
}

function bundledPackage(folder: string): BundledPackage {
  const { name, version, license = 'unknown' } = manifestOf(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  return { name, version, license, texts: files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim()) };
}

/** The text that names packages with their licences, as these ask for. */
export function licencesText(packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts].join('\n\n'),
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['ovn-uplinks contains the following packages of npm.', ...sections].join(rule)}\n`;
}

/** What of a package's folder is read by the program, beside itself. */
const { version } = manifestOf(CHECKOUT);
export { version };

/**
 * Writes the files of ovn-uplinks in the image: the program, bundled into one file with the packages that it uses, its command in PATH, and licences.
 *
 * @param tree folder, which need not exist
 * @returns packages in the bundle, by name
 */
export function writeProgramFiles(tree: string): readonly BundledPackage[] {
  const outfile = join(tree, PROGRAM);
  const { metafile } = buildSync({
    absWorkingDir: CHECKOUT,
    entryPoints: ['src/cmd/main.ts'],
    outfile,
    // Not minified: stack traces in logs name functions.
    ...BUNDLER_OPTIONS,
    legalComments: 'inline',
    metafile: true,
  });
  // The image has no env(1).
  const shebang = '#!/usr/bin/node';
  writeFileSync(outfile, readFileSync(outfile, 'utf8').replace(/^#!.*/, shebang));
  chmodSync(outfile, 0o755);

  const folders = Object.keys(metafile.inputs)
    .filter((file) => file.includes('node_modules/'))
    .map((file) => packageFolder(realpathSync(join(CHECKOUT, file))));
  const packages = [...new Set(folders)]
    .map(bundledPackage)
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
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
