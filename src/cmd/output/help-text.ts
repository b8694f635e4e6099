import { type AddHelpTextContext, Help } from 'commander';

/** Columns where help is not printed on a terminal. */
const WIDTH = 80;

/** Text behind the options in the help of a command, as wide as the terminal. Indented lines, such as examples, stay as they are. */
export function helpText(text: string): (context: AddHelpTextContext) => string {
  const paragraphs = text.replaceAll(/(?<=\n\S.*)\n(?=\S)/g, ' ').split('\n');
  return ({ command }) => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? WIDTH;
    const help = new Help();
    return paragraphs.map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, width))).join('\n');
  };
}
