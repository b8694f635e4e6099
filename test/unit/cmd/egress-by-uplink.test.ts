import { expect } from 'chai';
import { readScenario } from '../../scenarios/scenario-folders.ts';
import { runInProcess } from './run-in-process.ts';

/** Runs a command on a scenario, with its settings as options. */
async function run(scenario: string, ...words: readonly string[]) {
  const { cluster, nodes } = readScenario(scenario);
  return await runInProcess({ cluster, nodes }, [...words, '--networks=all', '--egress=uplink=blue']);
}

const there = 'zone/tenants-network-to-leaves-by-the-uplink-of-the-setting';
const missing = 'zone/uplink-of-the-setting-missing-to-network-programmed';
const packet = 'tcp 10.20.0.5:1234 > 203.0.113.9:80';

describe('the commands, of a tenant’s own network that leaves by the Uplink of the setting', () => {
  it('plan prints its uplink, its way out and its conditions, those of uplinks too', async () => {
    const { out, exitCode } = await run(there, 'plan');
    expect(exitCode).to.equal(0);
    const lines = out.map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
    expect(lines).to.include.members([
      'team/own | blue (br-blue) | br-blue | default | ready when done',
      'pods leave the cluster by Uplink blue (--egress uplink=blue)',
      '+ | UserDefinedNetwork/team/own | UplinksReady | True | UplinksReady | ready on 1 of 1 active nodes',
      '+ | Uplink/blue | finalizer k8s.ovn.org/uplink-protection',
    ]);
  });

  it('plan has the object once in JSON, with all its conditions', async () => {
    const { out } = await run(there, 'plan', '--output', 'json');
    const { objects } = JSON.parse(out.join('\n')) as {
      objects: { kind: string; status: { conditions?: { type: string }[] } }[];
    };
    const conditions = objects
      .filter(({ kind }) => /UserDefinedNetwork$/.test(kind))
      .map(({ kind, status }) => [kind, (status.conditions ?? []).map(({ type }) => type)]);
    const types = ['NetworkAllocationSucceeded', 'NetworkCreated', 'NetworkReady', 'UplinksReady'];
    expect(conditions).to.deep.equal([['UserDefinedNetwork', types]]);
  });

  it('explain says who gives it the Uplink, and what follows', async () => {
    const { out, exitCode } = await run(there, 'explain', 'own', 'a', '--namespace', 'team');
    expect(exitCode).to.equal(0);
    expect(out[0]).to.equal('team/own on a: network ready; default routing domain, bridge br-blue, ready');
    expect(out.join('\n')).to.match(/names no Uplink, and --egress uplink=blue gives it that one/);
  });

  it('trace follows its packets to the wire', async () => {
    const { out, exitCode } = await run(there, 'trace', 'team/own', 'a', packet);
    expect(exitCode).to.equal(0);
    expect(out.join('\n')).to.match(/GR_team_own_a .*br-blue.*leaves by eth1$/s);
  });

  it('flows prints those of its bridge', async () => {
    const { out } = await run(there, 'flows', 'a');
    expect(out.join('\n')).to.include('patch-br-blue_team_own_a-to-br-int');
  });

  it('trace and plan say that the Uplink does not exist', async () => {
    const traced = await run(missing, 'trace', 'team/own', 'a', packet);
    expect(traced.err).to.deep.equal([
      'error: network team/own has no uplink on a: UplinkNotFound: Uplink blue does not exist',
    ]);
    const { out } = await run(missing, 'plan');
    expect(out.join('\n')).to.match(/UserDefinedNetwork\/team\/own +UplinksReady +False +UplinkNotFound +Uplink blue/);
  });
});
