import { expect } from 'chai';
import {
  connectionsFrom,
  connectionsToService,
  connectionsTranslatedTo,
  ofEachProtocol,
  wordsOf,
} from '../../../../src/adapters/vswitchd-control/tracked-connections.ts';

const texts = (all: ReturnType<typeof ofEachProtocol>) => all.map((each) => wordsOf(each).join(' '));

describe('connections in connection tracking, by protocols', () => {
  it('have those of the family', () => {
    expect(texts(ofEachProtocol(connectionsFrom('169.254.0.12')))).to.deep.equal(
      [6, 17, 1, 132].map((number) => `ct_nw_src=169.254.0.12,ct_nw_proto=${number}`),
    );
    expect(texts(ofEachProtocol(connectionsFrom('fd69::c')))).to.deep.equal(
      [6, 17, 58, 132].map((number) => `ct_ipv6_src=fd69::c,ct_nw_proto=${number}`),
    );
  });

  it('keep their zone, and have the protocol where their fields are', () => {
    const translated = connectionsTranslatedTo({ zone: '64100', address: '192.0.2.6' });
    expect(texts(ofEachProtocol(translated))).to.deep.equal(
      [6, 17, 1, 132].map((number) => `zone=64100  ct_nw_dst=192.0.2.6,ct_nw_proto=${number}`),
    );
  });

  it('are none where they are of one protocol', () => {
    const endpoint = { address: '10.20.1.3' };
    expect(
      ofEachProtocol(connectionsToService({ protocol: 'sctp', service: { address: '10.96.0.10' }, endpoint })),
    ).to.deep.equal([]);
  });
});
