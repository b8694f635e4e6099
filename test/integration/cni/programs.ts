/** The programs that scripts/set-up-cni has built. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder with the CNI plugin, cnitool, and plugins of Debian. */
export function cniPrograms(): string {
  const plugin = join(import.meta.dirname, '../../../cni-plugin');
  const components = join(import.meta.dirname, 'components');
  const sources = readdirSync(plugin).filter((name) => name.endsWith('.go'));
  const files = [
    ...[...sources.sort(), 'go.mod', 'go.sum'].map((name) => join(plugin, name)),
    ...['go.mod', 'go.sum'].map((name) => join(components, name)),
  ];
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'ovn-uplinks', `cni-${digest.digest('hex').slice(0, 12)}`);
}
