import { expect } from 'chai';
import { portWord } from '../../../../../src/domain/datapath/openflow/port-word.ts';

describe('the word of a port', () => {
  it('is its name', () => {
    for (const name of ['eth1', 'br-blue', 'ten.100', 'patch-br-blue_cluster_udn_blue_a-to-br-int', 'p@1']) {
      expect(portWord(name)).to.equal(name);
    }
  });

  it('never is a number or a reserved port', () => {
    expect(portWord('12')).to.equal('%312');
    expect(portWord('1x')).to.equal('%31x');
    expect(portWord('LOCAL')).to.equal('%4cOCAL');
    expect(portWord('NORMAL')).to.equal('%4eORMAL');
  });

  it('has no character that ends a word', () => {
    expect(portWord('a,b(c)"é')).to.equal('a%2cb%28c%29%22%c3%a9');
  });

  it('differs for different names', () => {
    expect(portWord('a%2cb')).to.equal('a%252cb');
  });
});
