/** The agents of a process of tests whose nodes have not ended: what they have logged explains a failure (test/hooks.ts). */

/** The log of each agent, by the node that it runs on. */
export const openAgents = new Map<object, () => Promise<string>>();

/** Lines of a log. */
const LINES = 60;

/** Longest line of a log, in characters: operations name all their networks. */
const LENGTH = 400;

/** The last lines of their logs. */
export async function recentLogs(): Promise<string> {
  const logs = await Promise.all([...openAgents.values()].map((log) => log().catch(String)));
  return logs
    .map((text) => {
      const lines = text.trimEnd().split('\n').slice(-LINES);
      const shown = lines.map((line) => (line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line));
      return `The log of an agent:\n${shown.join('\n')}\n`;
    })
    .join('');
}
