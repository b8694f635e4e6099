import { expect } from 'chai';
import { type NodeSettings, type NodeSnapshot, planNode } from '../../../../../src/domain/index.ts';
import { podCluster, podNode, provided, web, withWaysOut } from '../../explanation/trace/pod-situation.ts';

const leaving: NodeSettings = { ...provided, egress: 'node', clusterCidrs: ['10.244.0.0/16'] };
const nodeA = withWaysOut(podNode('a', [web]));

/** The warnings about the node, where network blue leaves by it. */
function messages(changed: Partial<NodeSnapshot>, settings = leaving): readonly string[] {
  const { warnings } = planNode(podCluster([web]), { ...nodeA, ...changed }, settings);
  return warnings.map(({ message }) => message);
}

describe('a node that networks leave by', () => {
  it('has no warning where nothing is in their way', () => {
    expect(messages({})).to.deep.equal([]);
  });

  describe('with tables of iptables-legacy', () => {
    const forwardDrops = (['ip', 'ip6'] as const).map((family) => ({
      ...{ family, table: 'filter', chain: 'FORWARD' },
      isLegacy: true as const,
    }));

    it('has a warning for each family that its rules cannot be read, with the commands of that family', () => {
      const [four, six, ...others] = messages({ forwardDrops });
      expect(others).to.deep.equal([]);
      expect(four).to.equal(
        'chain FORWARD of table ip filter is one of iptables-legacy, which cannot be read: if it drops what passes the node, as "iptables-legacy -S FORWARD" shows, pods leave by the node only where a rule accepts it; where none does, "iptables-legacy -I FORWARD -s 169.254.0.0/17 -j ACCEPT" and "iptables-legacy -I FORWARD -d 169.254.0.0/17 -j ACCEPT" help; with Docker, in chain DOCKER-USER',
      );
      expect(six).to.equal(
        four
          ?.replaceAll('iptables', 'ip6tables')
          .replaceAll('169.254.0.0/17', 'fd69::/112')
          .replace('table ip ', 'table ip6 ')
          .replace('one of ip6tables', 'one of iptables'),
      );
    });

    it('has none where no network leaves by it', () => {
      expect(messages({ forwardDrops }, { ...leaving, egress: 'none' })).to.deep.equal([]);
    });
  });
});
