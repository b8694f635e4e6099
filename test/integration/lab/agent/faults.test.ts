import { resolve } from 'node:path';
import { expect } from 'chai';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { failed, preparedNode, runFaults } from './faults/run-faults.ts';
import { withoutTenants, withTenants } from './faults/scenario.ts';
import { leftovers } from './leftovers.ts';
import { NodeAgent, readyNetwork, unreadyNetwork } from './node-agent.ts';

const sh = (script: string) => ['/bin/busybox', 'ash', '-c', script];
const LEDGER = '/run/ovn-uplinks/ledger.json';

describe('an agent during faults', () => {
  let node: LabNode;
  let agent: NodeAgent | undefined;
  beforeEach(async () => {
    node = await (await sharedMachine()).node('worker-a');
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') process.stderr.write((await agent?.log()) ?? '');
    agent = undefined;
    await node.end();
  });

  for (const fault of ['ovsdb-server', 'ovs-vswitchd', 'bridge-deleted'] as const) {
    it(`recovers without leftovers: ${fault}`, async () => {
      const { outcomes } = await runFaults(node, fault, 19, 20);
      expect(outcomes.length).to.be.at.least(2);
      expect(failed(outcomes)).to.deep.equal([]);
    });
  }

  describe('with an ip that hangs', () => {
    it('kills it at its deadline, with its children, programs the other network, and then both', async () => {
      await prepare(node, preparedNode);
      await NodeAgent.prepare(node, withTenants);
      await node.write('/run/hang', 'master blue');
      const hanging = resolve(import.meta.dirname, '../inside/hanging');
      agent = await NodeAgent.start(node, { path: `${hanging}:/usr/sbin:/usr/bin:/sbin:/bin` });
      await agent.until([], 'uplink-0', unreadyNetwork('blue', 'UplinkVRFAttachmentFailed'));
      expect(await agent.log()).to.include('ip did not answer within 5 s and was killed');
      await agent.until([], 'uplink-1', readyNetwork('red'));
      expect((await node.run(sh('rm /run/hang; cat /run/hung | wc -l'))).stdout.trim()).to.not.equal('0');
      await agent.until([], 'uplink-0', readyNetwork('blue'));
      const sleeping = await node.run(sh('pgrep -f "sleep 98765"'));
      expect(sleeping.stdout).to.equal('');
    });
  });

  describe('with a ledger on a full disk,', () => {
    it('changes nothing on the node, reports that, and recovers as soon as there is space', async () => {
      await prepare(node, preparedNode);
      await node.does(
        sh('mkdir -p /run/ovn-uplinks && mount -t tmpfs -o size=64k tmpfs /run/ovn-uplinks'),
        sh(
          'dd if=/dev/zero of=/run/ovn-uplinks/full bs=1k count=60 status=none; cat /dev/zero > /run/ovn-uplinks/more || true',
        ),
      );
      const before = await node.snapshot();
      await NodeAgent.prepare(node, withTenants);
      agent = await NodeAgent.start(node);
      await agent.until([], 'uplink-0', 'nothing is changed on the node without it');
      expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
      await agent.until([sh('rm /run/ovn-uplinks/full')], 'uplink-0', readyNetwork('blue'));
      await agent.until([], 'uplink-1', readyNetwork('red'));
    });
  });

  describe('with a ledger that was truncated while no agent ran', () => {
    it('removes nothing of the administrator, reports that, and keeps a copy', async () => {
      await prepare(node, preparedNode);
      await NodeAgent.prepare(node, withTenants);
      agent = await NodeAgent.start(node);
      await agent.until([], 'uplink-0', readyNetwork('blue'));
      await agent.stop();
      const programmed = await node.snapshot();
      const text = await node.read(LEDGER);
      for (const length of [0, Math.floor(text.length / 2), text.length - 2]) {
        const truncated = text.slice(0, length);
        await node.does(['/bin/busybox', 'rm', '-f', `${LEDGER}.unusable`, '/run/agent.log']);
        await node.write(LEDGER, truncated);
        agent = await NodeAgent.start(node);
        await agent.untilLogged('nothing to do');
        expect(await agent.log()).to.include('the ledger is not valid JSON: it is truncated');
        await agent.stop();
        expect(leftovers(programmed, await node.snapshot())).to.deep.equal([]);
      }
      // What is managed only by the ledger stays when the networks are deleted, until an administrator releases the interface.
      await NodeAgent.save(node, withoutTenants);
      agent = await NodeAgent.start(node);
      await agent.untilLogged('obsolete VRF blue is not deleted: br-blue is in it and is not managed by ovn-uplinks');
      await agent.untilLogged('settled');
      const routes = ip`route show table 1011`;
      expect(await node.does(routes))
        .to.include('203.0.113.128/25 via 192.0.2.2')
        .and.not.include('proto 94');
      await agent.untilLogged('address 169.254.0.2/32 is on it and is not managed by ovn-uplinks', [
        ip`link set br-blue nomaster`,
      ]);
    });
  });
});
