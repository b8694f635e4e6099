import { expect } from 'chai';
import { GuidedCluster } from './guided-cluster.ts';
import { commandsIn, constantPart, guideText, sectionsOf } from './guide-page.ts';
import { firstCommands, readmeCommands } from './readme-commands.ts';

const AFTER_WHICH_ALL_IS_THERE = 'Reach a Service from outside';

/** Text that commands of README print, by how they begin, besides much else. */
const saidBy: Readonly<Record<string, string>> = {
  'ovn-uplinks plan ': 'Nothing to do',
  'ovn-uplinks explain blue ': 'blue on worker-a: network ready; default routing domain, bridge br-blue, ready',
  'ovn-uplinks explain namespace/': 'namespace blue: primary network ClusterUserDefinedNetwork/blue',
  'ovn-uplinks explain pod/': 'pod blue/blue-a: 10.20.0.3, fd20::3 in ClusterUserDefinedNetwork/blue',
  "ovn-uplinks trace blue worker-a 'tcp 10.": 'leaves by eth-blue',
  "ovn-uplinks trace blue worker-a 'tcp pod/": 'arrives at the pod with 10.20.1.3 on worker-b',
  "ovn-uplinks trace blue worker-a 'tcp 198.51.100.200:40000 > service/": 'its reply',
  'ovn-uplinks flows ': 'egress leaves with the address of the uplink',
  'ovn-uplinks crds ': 'name: uplinkstates.k8s.ovn.org',
};

const said = (command: string) =>
  Object.entries(saidBy).flatMap(([begin, text]) => (command.startsWith(begin) ? [text] : []));

describe('docs/guide.md, followed step by step (npm run goldens:guide)', () => {
  let guided: GuidedCluster;
  before(async () => {
    guided = await GuidedCluster.start();
  });
  after(() => guided.stop());

  const sections = sectionsOf(guideText());
  it('has the section after which the commands of README are run', () => {
    expect(sections.map(({ title }) => title)).to.include(AFTER_WHICH_ALL_IS_THERE);
  });

  it('has the commands with which README begins', () => {
    expect(firstCommands()).to.have.length(3);
    expect(commandsIn(guideText())).to.include.members(firstCommands());
  });

  for (const { title, steps } of sections) {
    it(`prints what it says it does: ${title}`, async () => {
      for (const step of steps) {
        const printed = await guided.follow(
          step,
          (now, { onPage }) => onPage === undefined || constantPart(now) === constantPart(onPage),
        );
        const expected = step.do === 'type' ? step.lines.map(({ output }) => output) : [];
        expect(printed.map(constantPart)).to.deep.equal(expected.map(constantPart));
      }
    });
    if (title === AFTER_WHICH_ALL_IS_THERE) {
      it('has commands in README that say of this cluster that nothing is left to do, and where packets arrive', async () => {
        for (const command of readmeCommands()) {
          const printed = await guided.does(command);
          for (const text of said(command)) expect(printed, command).to.include(text);
        }
      });
    }
  }
});
