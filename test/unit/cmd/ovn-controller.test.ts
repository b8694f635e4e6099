import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/index.ts';
import { containerOf, runCommand } from './run-in-process.ts';

describe('ovn-uplinks ovn-controller', () => {
  it('warns of an address of the loopback interface before it configures Open vSwitch', async () => {
    const container = containerOf({ cluster: emptyCluster, nodes: [] });
    const words = ['ovn-controller', '--encapsulation-ip', '127.0.0.1', '--ovsdb', '/nonexistent/db.sock'];
    const { err, exitCode } = await runCommand(container, words);
    expect(exitCode).to.equal(1);
    expect(err[0]).to.equal(
      'warning: --encapsulation-ip: 127.0.0.1 is an address of the loopback interface; other nodes do not reach this one',
    );
    expect(err[1]).to.match(/^error: .*\/nonexistent\/db\.sock: ovsdb-server cannot be reached/);
  });
});
