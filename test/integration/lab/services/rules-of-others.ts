import type { LabNode } from '../node.ts';

/** The lines of what other programs have in nftables, without counters; elements of a hash table are printed in any order. */
export async function tablesOfOthers(node: LabNode): Promise<readonly string[]> {
  const printed = await node.does(['nft', '--stateless', 'list', 'ruleset']);
  return printed
    .split(/^(?=table )/m)
    .filter((table) => !/^table \S+ ovn-uplinks/.test(table))
    .flatMap((table) => table.split(/[,\n]/).map((part) => part.trim()))
    .filter((part) => part !== '')
    .sort();
}

/** The commands of iptables that the agent of a node has logged, word by word. */
export function loggedCommands(log: string): readonly (readonly string[])[] {
  const found = [...log.matchAll(/\\"(ip6?tables -I FORWARD [^"\\]+)\\"/g)].map(([, command = '']) => command);
  return [...new Set(found)].map((command) => command.split(' '));
}
