#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { tooOld } from './node-version.ts';

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
// Limits the young generation of the heap in agents before modules are loaded, which would grow it for good. Commands that read a whole cluster use the
// default.
if (process.argv[2] === 'node') setFlagsFromString('--semi-space-growth-factor=1');
await import('./program.ts');
