import { expect } from 'chai';
import type { LabNode } from '../node.ts';

/** Addresses in the subnets of the network that no node has. */
export const NOBODYS = ['10.20.77.7', 'fd20:0:0:4d::7'];

/**
 * Expects that echo requests of pods to addresses that no node has end in their network: no router says that their TTL is used up.
 *
 * @param namespaces network namespaces of the pods
 */
export async function expectNoLoops(node: LabNode, namespaces: readonly string[]): Promise<void> {
  const cases = namespaces.flatMap((namespace) => NOBODYS.map((to) => ({ namespace, to })));
  await Promise.all(
    cases.map(async ({ namespace, to }) => {
      const ping = ['ping', '-n', '-c', '5', '-i', '0.2', '-w', '1', to];
      const { stdout } = await node.run(['ip', 'netns', 'exec', namespace, ...ping]);
      expect(stdout, `${namespace} to ${to}`).to.match(/^\d packets transmitted, 0 received, 100% packet loss/m);
    }),
  );
}
