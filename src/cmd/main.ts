#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { tooOld } from './node-version.ts';

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
// An agent has little memory, and keeps it so: what makes the young generation of the heap grow, for good, is loading modules. So it is told before any is
// loaded. Commands that read a whole cluster at once do better with the usual one.
if (process.argv[2] === 'node') setFlagsFromString('--semi-space-growth-factor=1');
await import('./program.ts');
