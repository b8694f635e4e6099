import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { BUNDLER_OPTIONS } from './bundler-options.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** A package of npm that is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
}

/** Fields that are read from a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly description?: string;
}

/** The package.json of a folder. */
export function manifestOf(folder: string): Manifest {
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

/**
 * Bundles the command with the packages that it uses: into main.js, and into files beside it that main.js loads when a subcommand needs them, as reading and
 * compiling is most of the time of a short command.
 *
 * @param folder `dist/cmd`, or what stands for it: the program finds other files from there
 * @returns packages in the bundle, by name
 */
export function bundleCommand(folder: string): readonly BundledPackage[] {
  const { metafile } = buildSync({
    absWorkingDir: CHECKOUT,
    entryPoints: ['src/cmd/main.ts'],
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    // Not minified: stack traces in logs name functions.
    ...BUNDLER_OPTIONS,
    legalComments: 'inline',
    metafile: true,
  });
  const folders = Object.keys(metafile.inputs)
    .filter((file) => file.includes('node_modules/'))
    .map((file) => packageFolder(realpathSync(join(CHECKOUT, file))));
  return [...new Set(folders)]
    .map(bundledPackage)
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}
