import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { IMAGE_FOLDER } from './image-folder.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../../..');

/** The configuration of an image (OCI Image Format, Image Configuration). */
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
  /** The annotations of the image in its archive: names, for those who import it. */
  readonly annotations: Readonly<Record<string, string>>;
}

let unpacked: UnpackedImage | undefined;

/** Builds the image into a folder and unpacks it, unless another process has done so. One at a time. */
const BUILD = `
cd "$2"
[ -e bundle ] && exit
"$1/scripts/build-image" "$2/image.tar" >&2
rm -rf layout unpacked
mkdir layout
tar --extract --directory=layout --file=image.tar
umoci unpack --image "layout:$(umoci list --layout layout | head -1)" unpacked >&2
rm unpacked/config.json
mv unpacked bundle`;

/**
 * The image of the checkout, built by scripts/build-image at the first call of a run of tests, and unpacked by umoci(1), which verifies it. All test
 * files of the run have the same one, and leave its files as they are.
 */
export function unpackedImage(): UnpackedImage {
  if (unpacked !== undefined) return unpacked;
  mkdirSync(IMAGE_FOLDER, { recursive: true });
  const words = [join(IMAGE_FOLDER, 'lock'), 'sh', '-e', '-c', BUILD, 'sh', CHECKOUT, IMAGE_FOLDER];
  execFileSync('flock', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [layout, bundle] = [join(IMAGE_FOLDER, 'layout'), join(IMAGE_FOLDER, 'bundle')];
  const blob = (digest: string): unknown =>
    JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    readonly manifests: readonly [{ readonly digest: string; readonly annotations: UnpackedImage['annotations'] }];
  };
  const { config } = blob(manifests[0].digest) as { readonly config: { readonly digest: string } };
  unpacked = {
    archive: join(IMAGE_FOLDER, 'image.tar'),
    rootfs: join(bundle, 'rootfs'),
    configuration: blob(config.digest) as ImageConfiguration,
    annotations: manifests[0].annotations,
  };
  return unpacked;
}
