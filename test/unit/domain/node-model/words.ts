/**
 * Nodes and changes in few words, for the tests of the node model.
 */
import { expect } from 'chai';
import type { Change } from '../../../../src/domain/node-model/change.ts';
import { withKernelAddressesAndRoutes } from '../../../../src/domain/node-model/kernel-routes.ts';
import type { Address, NextHop, NodeSnapshot, Route, Table } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { type BriefLink, type BriefNode, completeNode } from '../../../../src/testing/brief-node.ts';

/** A node that a kernel could have: what it makes of the devices by itself is there. */
export function nodeOf(brief: Omit<BriefNode, 'nodeName'>): NodeSnapshot {
  return withKernelAddressesAndRoutes(completeNode({ nodeName: 'a', ...brief }));
}

/** An address by its text, with a prefix length. */
export function address(text: string, more: Partial<Address> = {}): Address {
  const [plain = '', length] = text.split('/');
  return { address: plain, prefixLength: Number(length), scope: 'global', flags: [], ...more };
}

/** A device by its name and its addresses. */
export function device(name: string, addresses: readonly string[] = [], more: Partial<BriefLink> = {}): BriefLink {
  return { name, addresses: addresses.map((text) => address(text)), ...more };
}

export const blue: BriefLink = { name: 'blue', kind: 'vrf', vrfTable: 1001, mtu: 65_575 };
export const red: BriefLink = { name: 'red', kind: 'vrf', vrfTable: 1002, mtu: 65_575 };

const tableNames: ReadonlyMap<Table, string> = new Map([
  [254, 'main'],
  [255, 'local'],
]);

function hopText({ gateway, device: out, onlink, weight }: NextHop): string {
  return [
    ...(gateway === undefined ? [] : ['via', gateway]),
    ...(out === undefined ? [] : ['dev', out]),
    ...(onlink === true ? ['onlink'] : []),
    ...(weight === undefined ? [] : ['weight', weight]),
  ].join(' ');
}

/** A route in a line: table, type, destination, ways, and what else identifies it. */
export function routeText(route: Route): string {
  const { table, type, destination, nextHops, nextHopObject, metric, preferredSource, expiresSeconds } = route;
  return [
    tableNames.get(table) ?? table,
    ...(type === 'unicast' ? [] : [type]),
    destination,
    ...(nextHopObject === undefined ? [] : ['nhid', nextHopObject]),
    ...(nextHops.length === 0 ? [] : [nextHops.map(hopText).join(' + ')]),
    ...(preferredSource === undefined ? [] : ['src', preferredSource]),
    ...(metric === 0 ? [] : ['metric', metric]),
    ...(expiresSeconds === undefined ? [] : ['expires', expiresSeconds]),
  ].join(' ');
}

/** The node's routes in lines, in alphabetical order; those of the kernel's making only where they are asked for. */
export function routeTexts(
  { routes }: NodeSnapshot,
  select: (route: Route) => boolean = ({ protocol }) => protocol !== 'kernel',
): readonly string[] {
  return routes.filter(select).map(routeText).sort();
}

/** The kernel's own routes out of a device, of one family. */
export function kernelRoutes(node: NodeSnapshot, family: 4 | 6, out: string): readonly string[] {
  return routeTexts(
    node,
    (route) =>
      route.protocol === 'kernel' && route.family === family && route.nextHops.some((hop) => hop.device === out),
  );
}

/** The addresses of a device in alphabetical order, each with its flags. */
export function addressTexts({ links }: NodeSnapshot, name: string): readonly string[] {
  const addresses = links.find((link) => link.name === name)?.addresses ?? [];
  return addresses
    .map(({ address: text, prefixLength, flags }) => [`${text}/${prefixLength}`, ...flags].join(' '))
    .sort();
}

/** The node after a change that has to be done. */
export function after(change: Change): NodeSnapshot {
  if (!change.done) expect.fail(`refused: ${change.refusal}`);
  return change.node;
}

/** Why a change is refused, which it has to be. */
export function refusalOf(change: Change): string {
  if (change.done) expect.fail('done');
  return change.refusal;
}
