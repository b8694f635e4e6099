/** Commands of the specification that the agent answers (CNI specification 1.1.0, section 2); the plugin answers VERSION itself. */
export const commands = ['ADD', 'DEL', 'CHECK', 'STATUS', 'GC'] as const;

export type CniCommand = (typeof commands)[number];

/** Whether a text is such a command. */
export function isCommand(text: string): text is CniCommand {
  return commands.some((command) => command === text);
}
