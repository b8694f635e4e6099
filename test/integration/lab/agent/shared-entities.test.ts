import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { sharedMachine } from '../shared-machine.ts';
import { failed, runFaults } from './faults/run-faults.ts';
import { lostOf, shareMappings } from './faults/share-mappings.ts';

describe('an agent beside other programs', () => {
  let node: LabNode;
  beforeEach(async () => {
    node = await (await sharedMachine()).node('worker-a');
  });
  afterEach(() => node.end());

  it('loses no bridge mapping while another program keeps changing them', async () => {
    const shared = await shareMappings(node, 50, 3);
    expect(shared.agent.wrong).to.deep.equal([]);
    expect(lostOf(shared)).to.deep.equal([]);
    expect(shared.other.rounds).to.be.at.least(50);
    expect(shared.other.beaten).to.be.at.least(1);
  });

  it('keeps what an administrator adds on an interface right before or after it is enslaved', async () => {
    // The number of changes varies slightly, as the number of ledger writes depends on the timing of events.
    const { outcomes } = await runFaults(node, 'administrator', 11, 20);
    expect(outcomes.length).to.be.at.least(3);
    expect(failed(outcomes)).to.deep.equal([]);
  });
});
