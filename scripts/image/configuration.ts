import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { ImageConfiguration } from './oci-archive.ts';
import { description, version } from './program-files.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** The default user of the image: the cluster manager's, without privileges. */
const USER = '65532:65532';

/** The configuration of the image. Its time is that of the commit, or that of SOURCE_DATE_EPOCH, so that the same sources give the same image. */
export function imageConfiguration(): ImageConfiguration {
  const revision = git('rev-parse', 'HEAD');
  const epoch = process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct') ?? '0';
  const created = new Date(Number(epoch) * 1000).toISOString();
  const label = (name: string, value: string) => ({ [`org.opencontainers.image.${name}`]: value });
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    created,
    config: {
      User: USER,
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      Entrypoint: ['/usr/bin/ovn-uplinks'],
      WorkingDir: '/',
      Labels: {
        ...label('title', 'ovn-uplinks'),
        ...(description !== undefined && label('description', description)),
        ...label('version', version),
        ...label('licenses', 'Apache-2.0'),
        ...label('created', created),
        ...(revision !== undefined && label('revision', revision)),
      },
    },
  };
}

/** The output of git; absent outside of a repository, or without git. */
function git(...words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', CHECKOUT, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
