/**
 * `npm run bench`: measures the engine at the sizes it is written for. Each figure is a line on stderr as soon as it is there; stdout is one JSON document with
 * all of them. With `--short` everything is measured once, at small sizes: that shows that it can be measured, and no more.
 */
import { parseArgs } from 'node:util';
import { shortParts, usualParts } from './parts.ts';
import { runBench } from './run-bench.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
process.exitCode = await runBench(values.short ? shortParts : usualParts, process.stdout, process.stderr);
