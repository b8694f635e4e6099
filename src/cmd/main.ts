#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { tooOld } from './node-version.ts';

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
// Compiled code is kept for the next start, where no other user can put it. Without a folder that is writable nothing is kept.
const { XDG_CACHE_HOME: cache = '' } = process.env;
module.enableCompileCache(join(cache === '' ? join(homedir(), '.cache') : cache, 'ovn-uplinks', 'compiled'));
// Limits the young generation of the heap in what runs for long, before modules are loaded, which would grow it for good: a third less memory for a few
// percent more CPU. Other commands end soon.
if (['node', 'cluster-manager'].includes(process.argv[2] ?? '')) setFlagsFromString('--semi-space-growth-factor=1');
await import('./program.ts');
