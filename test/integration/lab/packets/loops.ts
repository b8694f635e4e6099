import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { podNamespace } from './own-half.ts';
import type { Tenant } from './tenant.ts';

/** Addresses in the subnets of the network that no node has. */
const NOBODYS = ['10.20.77.7', 'fd20:0:0:4d::7'];

/** Expects that echo requests of a tenant's pod to addresses that no node has end in its network: no router says that their TTL is used up. */
export async function expectNoLoops(node: LabNode, tenants: readonly Tenant[]): Promise<void> {
  for (const tenant of tenants) {
    for (const to of NOBODYS) {
      const ping = ['ping', '-n', '-c', '5', '-i', '0.2', '-w', '1', to];
      const { stdout } = await node.run(['ip', 'netns', 'exec', podNamespace(tenant), ...ping]);
      expect(stdout, `${tenant.name} to ${to}`).to.match(/^\d packets transmitted, 0 received, 100% packet loss/m);
    }
  }
}
