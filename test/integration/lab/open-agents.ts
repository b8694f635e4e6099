/** The agents of a process of tests whose nodes have not ended: what they have logged explains a failure (test/hooks.ts). */

/** What an agent has logged, by the node that it runs on. */
export const openAgents = new Map<object, () => Promise<string>>();
