import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pipeline } from '../../../../../src/domain/dataplane/pipeline/rows.ts';

/** Rows that no packet of the page matches, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'connections 0: everything else is switched':
    'table connections gets frames to the MAC address of an uplink only, which match its row of priority 10',
};

const page = readFileSync(new URL('../../../../../docs/datapath.md', import.meta.url), 'utf8');

/** A hop as it is printed: `  br-red, classify 100  source becomes …  why`. */
const hop = /^ {2}\S+, (?<row>\w+ \d+) {2,}.* {2,}(?<why>.*)$/gm;

const matched = new Set(
  [...page.matchAll(hop)].map(({ groups }) => `${groups?.['row'] ?? ''}: ${groups?.['why'] ?? ''}`),
);

const rows = Object.values(pipeline)
  .flat()
  .map(({ table, priority, why }) => `${table} ${String(priority)}: ${why}`);

describe('docs/datapath.md', () => {
  it('has a packet for each row of the pipeline, apart from the exceptions', () => {
    expect(rows.filter((row) => !matched.has(row))).to.deep.equal(Object.keys(exceptions));
  });
});
