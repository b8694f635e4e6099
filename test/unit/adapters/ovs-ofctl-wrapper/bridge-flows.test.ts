import { expect } from 'chai';
import { BridgeFlows, ofNetworks, type FlowChange } from '../../../../src/adapters/ovs-ofctl-wrapper/bridge-flows.ts';
import type { Selection } from '../../../../src/adapters/ovs-ofctl-wrapper/flow-selection.ts';
import type { FlowUpdate } from '../../../../src/adapters/ovs-ofctl-wrapper/openflow-messages.ts';
import { FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import { flowKey } from '../../../../src/domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';
import { valueOf } from '../readings.ts';
import { bridgeWith } from './bridges.ts';

const LIFETIME = 1000;

const bridge = bridgeWith({ eth1: 1 });

function ours(table: number, match: string, actions = 'drop'): BridgeFlow {
  return { bridge: bridge.name, cookie: FLOW_COOKIE, table, priority: 100, match, actions };
}

const added = (flow: BridgeFlow): FlowChange => ({ flow, isDeletion: false });
const removed = (flow: BridgeFlow): FlowChange => ({ flow, isDeletion: true });

/** The report of the switch on a change. */
const report = ({ flow: { table, priority, cookie }, isDeletion }: FlowChange): FlowUpdate => {
  return { table, priority, cookie, isDeletion };
};

/** The flows of a bridge whose switch has some, and what was read of it. */
class Scene {
  readonly installed = new Map<string, BridgeFlow>();
  readonly dumps: (Selection | 'all')[] = [];
  /** How the switch prints matches. */
  printed = (match: string) => match;
  now = 0;
  readonly flows = new BridgeFlows(ofNetworks, 'br-blue.mgmt', (selection) => this.#dump(selection), {
    lifetime: LIFETIME,
    now: () => this.now,
  });

  constructor(...flows: readonly BridgeFlow[]) {
    for (const flow of flows) this.installed.set(flowKey(flow), flow);
  }

  #dump(selection?: Selection) {
    this.dumps.push(selection ?? 'all');
    const lines = [...this.installed.values()]
      .filter(({ table }) => selection === undefined || selection === `table=${table}`)
      .map(
        ({ cookie, table, priority, match, actions }) =>
          ` cookie=${cookie}, table=${table}, priority=${priority},${this.printed(match)} actions=${actions}`,
      );
    return Promise.resolve({ read: true as const, value: `${lines.join('\n')}\n` });
  }

  async read(): Promise<readonly BridgeFlow[]> {
    return valueOf(await this.flows.read(bridge));
  }

  /** Makes changes, on which the switch reports. */
  change(changes: readonly FlowChange[], reported = changes.map(report), isDone = true): void {
    for (const { flow, isDeletion } of changes) {
      if (isDeletion) this.installed.delete(flowKey(flow));
      else this.installed.set(flowKey(flow), flow);
    }
    this.flows.changedBy({ flows: changes, isDone }, reported);
  }
}

describe('the flows of a bridge after changes of this agent', () => {
  const [web, ssh, dns] = [ours(1, 'tcp,tp_dst=80'), ours(1, 'tcp,tp_dst=22'), ours(2, 'udp,tp_dst=53')];

  it('are those that were written, once the switch has reported them', async () => {
    const scene = new Scene(web, ssh);
    await scene.read();
    const other = ours(1, 'tcp,tp_dst=80', 'output:eth1');
    scene.change([removed(ssh), added(other), added(dns)]);
    expect(await scene.read()).to.have.deep.members([other, dns]);
    expect(scene.dumps).to.deep.equal(['all']);
  });

  const changes = [removed(ssh), added(dns)];
  const reports = changes.map(report);
  const foreign = { ...report(added(web)), cookie: '0x1' };
  const cases: Readonly<Record<string, Parameters<Scene['change']>>> = {
    'reports less': [changes, reports.slice(1)],
    'reports more': [changes, [...reports, report(added(web))]],
    'reports something else': [changes, [...reports.slice(1), report(added(ssh))]],
    'reports a flow of another program too': [changes, [...reports, foreign]],
    'may not have accepted them': [changes, reports, false],
  };
  for (const [what, change] of Object.entries(cases)) {
    it(`are read again if the switch ${what}`, async () => {
      const scene = new Scene(web, ssh);
      await scene.read();
      // Another program deletes a flow meanwhile.
      scene.installed.delete(flowKey(web));
      scene.change(...change);
      expect(await scene.read()).to.deep.equal([dns]);
      expect(scene.dumps.slice(1)).to.include('table=1');
    });
  }

  it('are read again if an unknown flow was removed: what the switch has removed is not known', async () => {
    const scene = new Scene(web);
    await scene.read();
    scene.installed.set(flowKey(ssh), ssh);
    scene.change([removed(ssh)]);
    expect(await scene.read()).to.deep.equal([web]);
    expect(scene.dumps).to.deep.equal(['all', 'table=1']);
  });

  it('are read again if anything may have happened meanwhile, as while the connection was lost', async () => {
    const scene = new Scene(web);
    await scene.read();
    scene.flows.outdate();
    scene.change([added(dns)]);
    scene.installed.delete(flowKey(web));
    expect(await scene.read()).to.deep.equal([dns]);
  });

  it('are read again after their lifetime, and are the same objects if they are printed as they were written', async () => {
    const scene = new Scene(web);
    await scene.read();
    scene.change([added(dns)]);
    const before = await scene.read();
    scene.now = LIFETIME;
    expect([...(await scene.read())]).to.have.members([...before]);
    expect(scene.dumps).to.deep.equal(['all', 'all']);
    scene.change([removed(dns)]);
    expect(await scene.read()).to.deep.equal([web]);
    expect(scene.dumps).to.have.length(2);
  });

  it('are read after each change from then on if they are printed in another way', async () => {
    const scene = new Scene(web);
    scene.printed = (match) => match.replace('udp,', 'udp,nw_frag=no,');
    await scene.read();
    scene.change([added(dns)]);
    expect(await scene.read()).to.include(dns);
    scene.now = LIFETIME;
    const asPrinted = { ...dns, match: 'udp,nw_frag=no,tp_dst=53' };
    expect(await scene.read()).to.deep.equal([web, asPrinted]);
    scene.change([added(ours(2, 'udp,tp_dst=67'))]);
    expect(await scene.read()).to.deep.include(ours(2, 'udp,nw_frag=no,tp_dst=67'));
    expect(scene.dumps).to.deep.equal(['all', 'all', 'table=2']);
  });

  it('are still taken as written after another program has deleted one, or ports have got other numbers', async () => {
    const scene = new Scene(web);
    await scene.read();
    scene.change([added(dns)]);
    scene.installed.delete(flowKey(dns));
    scene.flows.changed([report(removed(dns))]);
    scene.now = LIFETIME;
    expect(await scene.read()).to.deep.equal([web]);
    scene.change([added(ours(3, 'in_port=1'))]);
    const renumbered = bridgeWith({ eth1: 2, eth2: 1 });
    expect(valueOf(await scene.flows.read(renumbered)).map(({ match }) => match)).to.include('in_port=eth2');
    scene.change([added(ssh)]);
    expect(valueOf(await scene.flows.read(renumbered))).to.include(ssh);
    expect(scene.dumps).to.deep.equal(['all', 'all', 'all']);
  });
});
