import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** The cells of the rows of all tables of a page of docs. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../../../../docs/${page}`, import.meta.url), 'utf8');
  // Those of Services are not there for each network.
  return (text.split('## Services')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
}

/** The flows of a network, as docs/pipeline.md lists them. */
const inPipeline = rowsOf('pipeline.md')
  .filter(([, , per, when]) => per === 'network' && when !== 'the network is advertised')
  .map(([table, priority]) => `${table ?? ''} ${priority ?? ''}`);

const inFlows = rowsOf('design/flows.md').flatMap(([table, priority, count]) =>
  Array.from({ length: Number(count) || 0 }, () => `${table ?? ''} ${priority ?? ''}`),
);

describe('docs/design/flows.md, "Flows for each network"', () => {
  it('explains as many flows of each table and priority as a network has', () => {
    expect(inPipeline).not.to.be.empty;
    expect(inFlows).to.deep.equal(inPipeline);
  });

  it('says how many they are', () => {
    const text = readFileSync(new URL('../../../../../docs/design/flows.md', import.meta.url), 'utf8');
    expect(text).to.include(`A network with both families has ${String(inPipeline.length)} flows`);
  });
});
