import { expect } from 'chai';
import { OfctlLeavingConnections } from '../../../../src/adapters/ovs-ofctl-wrapper/ofctl-leaving-connections.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import type { SwitchDatabase } from '../../../../src/ports/node/switch-database.ts';

const finished: ProgramResult = { outcome: 'finished', stdout: new Uint8Array() };

const database = (result: unknown) => ({ read: () => Promise.resolve(result) }) as Pick<SwitchDatabase, 'read'>;
const open = database({ read: true, value: { switchExternalIds: { 'ovn-bridge': 'br-other' } } });
const away = database({ read: false, problems: [] });

/** The commands that run where connections of two networks are ended. */
async function commands(
  switches: Pick<SwitchDatabase, 'read'>,
  result: ProgramResult = finished,
): Promise<readonly string[]> {
  const ran: string[] = [];
  const run = (program: string, words: readonly string[]) => {
    ran.push([program, ...words].join(' '));
    return Promise.resolve(result);
  };
  await new OfctlLeavingConnections({ run }, '/run/ovs', switches).end(['169.254.0.12', 'fd69::c']);
  return ran;
}

const flush = (tuple: string) => `ovs-ofctl -O OpenFlow14 ct-flush -- unix:/run/ovs/br-other.mgmt ${tuple}`;

describe('the connections that leave networks by the node', () => {
  it('are ended by their sources, in every zone', async () => {
    expect(await commands(open)).to.deep.equal([flush('ct_nw_src=169.254.0.12'), flush('ct_ipv6_src=fd69::c')]);
  });

  it('keep nobody waiting where Open vSwitch does not answer', async () => {
    expect(await commands(open, { outcome: 'not-found' })).to.deep.equal([flush('ct_nw_src=169.254.0.12')]);
    expect(await commands(away)).to.deep.equal([]);
  });
});
