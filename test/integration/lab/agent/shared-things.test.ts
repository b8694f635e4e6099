import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { sharedMachine } from '../shared-machine.ts';
import { ODD_TEXT, shareMappings } from './faults/share-mappings.ts';

describe('what an agent shares with others', function () {
  this.timeout(180_000);
  let node: LabNode;
  beforeEach(async () => {
    node = await (await sharedMachine()).node('worker-a');
  });
  afterEach(() => node.end());

  it('keeps every entry of both sides in the bridge mappings, though another program changes them all the time', async () => {
    const { other, agent, text } = await shareMappings(node, 50);
    expect(agent.wrong).to.deep.equal([]);
    expect(other.lost).to.deep.equal([]);
    expect(other.rounds).to.be.at.least(50);
    for (const entry of other.own) expect(text.split(',')).to.include(entry);
    const foreign = text.split(',').filter((entry) => !entry.startsWith('other'));
    expect(foreign.join(',').replaceAll(/other\d+:br-other/g, '')).to.equal(ODD_TEXT);
  });
});
