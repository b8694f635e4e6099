#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { tooOld } from './node-version.ts';

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
// Compiled code is kept for the next start, in a folder of the user, as others could put something else there. Without one, or where it is read-only, nothing
// is kept.
const { XDG_CACHE_HOME = '', HOME = '' } = process.env;
const cache = XDG_CACHE_HOME === '' && HOME !== '' ? join(HOME, '.cache') : XDG_CACHE_HOME;
if (cache !== '') module.enableCompileCache(join(cache, 'ovn-uplinks', 'compiled'));
// Limits the young generation of the heap in what runs for long, before modules are loaded, which would grow it for good: a third less memory for a few
// percent more CPU. Other commands end soon.
if (['node', 'cluster-manager'].includes(process.argv[2] ?? '')) setFlagsFromString('--semi-space-growth-factor=1');
await import('./program.ts');
