import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const CHECKOUT = resolve(import.meta.dirname, '../../..');

/** Where the image of this process is, removed when it exits. Lab machines see this folder too. */
const FOLDER = join(CHECKOUT, 'node_modules/.cache/ovn-uplinks-image', String(process.pid));
process.once('exit', () => {
  rmSync(FOLDER, { recursive: true, force: true });
});

/** What an image says of itself (OCI Image Format, Image Configuration). */
export interface ImageConfiguration {
  readonly architecture: string;
  readonly created: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
}

/** The image, unpacked. */
export interface UnpackedImage {
  /** The archive that it was unpacked from. */
  readonly archive: string;
  /** Folder with its files. */
  readonly rootfs: string;
  readonly configuration: ImageConfiguration;
  /** What its archive says of it: names, for those who import it. */
  readonly annotations: Readonly<Record<string, string>>;
}

let unpacked: UnpackedImage | undefined;

/** The image of the checkout, built by scripts/build-image at the first call, and unpacked by umoci(1), which verifies it. */
export function unpackedImage(): UnpackedImage {
  if (unpacked !== undefined) return unpacked;
  rmSync(FOLDER, { recursive: true, force: true });
  const layout = join(FOLDER, 'layout');
  mkdirSync(layout, { recursive: true });
  const archive = join(FOLDER, 'image.tar');
  run(join(CHECKOUT, 'scripts/build-image'), archive);
  run('tar', '--extract', `--directory=${layout}`, `--file=${archive}`);
  const [reference = ''] = run('umoci', 'list', '--layout', layout).trim().split('\n');
  const bundle = join(FOLDER, 'bundle');
  run('umoci', 'unpack', '--image', `${layout}:${reference}`, bundle);
  const blob = (digest: string): unknown =>
    JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    readonly manifests: readonly [{ readonly digest: string; readonly annotations: UnpackedImage['annotations'] }];
  };
  const { config } = blob(manifests[0].digest) as { readonly config: { readonly digest: string } };
  rmSync(join(bundle, 'config.json'));
  unpacked = {
    archive,
    rootfs: join(bundle, 'rootfs'),
    configuration: blob(config.digest) as ImageConfiguration,
    annotations: manifests[0].annotations,
  };
  return unpacked;
}

function run(program: string, ...words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
