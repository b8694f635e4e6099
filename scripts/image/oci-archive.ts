import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A layer of an image: a compressed archive of files. */
export interface Layer {
  /** Path of the archive, as write-layer makes it; with the suffix `.digest` the digest before compression. */
  readonly file: string;
  /** Where its files come from. */
  readonly createdBy: string;
}

/** The configuration of an image (OCI Image Format, Image Configuration). */
export interface ImageConfiguration {
  readonly architecture: string;
  /** When it was created, in the format of RFC 3339. */
  readonly created: string;
  readonly config: Readonly<Record<string, unknown>>;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Writes an image as an archive in the format of OCI (OCI Image Format, Image Layout).
 *
 * @param reference name of the image, with its tag
 */
export function writeOciArchive(
  file: string,
  reference: string,
  { architecture, created, config }: ImageConfiguration,
  layers: readonly Layer[],
): void {
  mkdirSync(dirname(file), { recursive: true });
  const layout = mkdtempSync(`${file}.`);
  try {
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    const blob = (mediaType: string, content: Buffer): Descriptor => {
      const hash = createHash('sha256').update(content).digest('hex');
      writeFileSync(join(layout, 'blobs/sha256', hash), content);
      return { mediaType, digest: `sha256:${hash}`, size: content.length };
    };
    const jsonBlob = (kind: string, value: object) =>
      blob(`application/vnd.oci.image.${kind}.v1+json`, Buffer.from(JSON.stringify(value)));

    const layerBlobs = layers.map((layer) =>
      blob('application/vnd.oci.image.layer.v1.tar+gzip', readFileSync(layer.file)),
    );
    const configuration = jsonBlob('config', {
      created,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map((layer) => readFileSync(`${layer.file}.digest`, 'utf8').trim()) },
      history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
    });
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = jsonBlob('manifest', { schemaVersion: 2, mediaType, config: configuration, layers: layerBlobs });
    const index = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        {
          ...manifest,
          platform: { architecture, os: 'linux' },
          annotations: {
            'org.opencontainers.image.ref.name': reference,
            // The name under which containerd imports it, which is the one that a kubelet looks for.
            'io.containerd.image.name': `docker.io/library/${reference}`,
          },
        },
      ],
    };
    writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const archive = join(layout, 'archive.tar');
    const members = ['oci-layout', 'index.json', 'blobs'];
    const plain = [
      '--format=gnu',
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=a+rX',
    ];
    execFileSync('tar', ['--create', ...plain, `--directory=${layout}`, `--file=${archive}`, ...members], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // Only a complete archive gets its final name.
    renameSync(archive, file);
  } finally {
    rmSync(layout, { recursive: true });
  }
}
