import { expect } from 'chai';
import { TranslatedSources } from '../../../../src/adapters/ovs-ofctl-wrapper/translated-sources.ts';
import type { EntityOperation } from '../../../../src/domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';

function egress(match: string, address: string): BridgeFlow {
  const actions = `ct(commit,table=22,zone=64100,nat(src=${address}),exec(set_field:0x5->ct_mark))`;
  return { bridge: 'br-blue', cookie: '0x75706c6b', table: 0, priority: 100, match, actions };
}

function change(verb: 'add' | 'replace' | 'remove', flow: BridgeFlow): EntityOperation<'flow'> {
  return { verb, networks: [], entity: { kind: 'flow', flow } };
}

const before = [egress('ip,in_port=3', '192.0.2.6'), egress('ip,in_port=4', '192.0.2.6')];

describe('sources that connections are translated to', () => {
  let sources: TranslatedSources;
  beforeEach(() => {
    sources = new TranslatedSources();
    sources.read(before);
  });

  it('are obsolete once the last flow with one has another', () => {
    const [first, second] = ['ip,in_port=3', 'ip,in_port=4'].map((match) =>
      change('replace', egress(match, '192.0.2.7')),
    );
    expect(sources.endedBy([first!])).to.deep.equal([]);
    sources.changed([first!]);
    expect(sources.endedBy([second!])).to.deep.equal([{ zone: '64100', address: '192.0.2.6' }]);
  });

  it('are obsolete with the last flow', () => {
    expect(sources.endedBy(before.map((flow) => change('remove', flow)))).to.deep.equal([
      { zone: '64100', address: '192.0.2.6' },
    ]);
  });

  it('stay while another flow has them', () => {
    expect(
      sources.endedBy([change('remove', before[0]!), change('add', egress('ip,in_port=5', '192.0.2.8'))]),
    ).to.deep.equal([]);
  });

  it('are those of the last read flows', () => {
    sources.read([egress('ip,in_port=3', '2001:db8:b::6')]);
    expect(sources.endedBy([change('replace', egress('ip,in_port=3', '2001:db8:b::7'))])).to.deep.equal([
      { zone: '64100', address: '2001:db8:b::6' },
    ]);
  });

  it("have to be ended before the last flow of the host's own connections goes, and not before others go", () => {
    const own = egress('ip,in_port=LOCAL,nw_src=192.0.2.6', '192.0.2.6');
    sources.read([...before, own]);
    const all = [...before, own].map((flow) => change('remove', flow));
    expect(sources.lastOf(all)).to.deep.equal([all[2]]);
    expect(sources.lastOf([all[0]!, all[2]!])).to.deep.equal([]);
    expect(sources.lastOf([...all, change('add', egress('ip,in_port=5', '192.0.2.6'))])).to.deep.equal([]);
  });
});
