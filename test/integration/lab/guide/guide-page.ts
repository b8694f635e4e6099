/**
 * docs/guide.md as what a reader does: files that are saved, commands that are run, and what those print.
 *
 * A block of `yaml` is a file, whose first line says its name. A block of `sh` has a command in each line. A block of `console` has commands, each after the prompt of
 * the administrator, `$ `, or of a node, such as `worker-a# `, or of a client outside, `client# `, and what they print.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const GUIDE = resolve(import.meta.dirname, '../../../../docs/guide.md');

/** A command of a console, and what it prints. */
export interface ConsoleLine {
  /** The node that it is run on, or `client`; absent for the administrator's own machine. */
  readonly node?: string;
  readonly command: string;
  readonly output: string;
}

/** The next step of a reader. */
export type Step =
  | { readonly do: 'save'; readonly name: string; readonly text: string }
  | { readonly do: 'run'; readonly commands: readonly string[] }
  | { readonly do: 'type'; readonly lines: readonly ConsoleLine[] };

/** A section of the page. */
export interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
}

const BLOCK = /^```(yaml|sh|console)\n([^]*?)^```$/gm;
const PROMPT = /^(?:\$|([a-z0-9-]+)#) (.*)$/;

function consoleLines(text: string): readonly ConsoleLine[] {
  const lines: { node?: string; command: string; output: string }[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [isPrompt, node, command = ''] = PROMPT.exec(line) ?? [];
    const last = lines.at(-1);
    if (isPrompt !== undefined) lines.push({ ...(node !== undefined && { node }), command, output: '' });
    else if (last !== undefined) last.output += `${line}\n`;
  }
  return lines;
}

function stepOf(language: string, text: string): Step {
  if (language === 'sh') return { do: 'run', commands: text.trimEnd().split('\n') };
  if (language === 'console') return { do: 'type', lines: consoleLines(text) };
  const [, name] = /^# (\S+)\n/.exec(text) ?? [];
  if (name === undefined) throw new Error(`a file of ${GUIDE} does not say its name in the first line: ${text}`);
  return { do: 'save', name, text };
}

/** The page. */
export function guideText(): string {
  return readFileSync(GUIDE, 'utf8');
}

/** The sections of a page that have steps. */
export function sectionsOf(page: string): readonly Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')),
      steps: [...text.matchAll(BLOCK)].map(([, language = '', content = '']) => stepOf(language, content)),
    }))
    .filter(({ steps }) => steps.length > 0);
}

/** All commands of a page that are typed, in their order. */
export function commandsIn(page: string): readonly string[] {
  return sectionsOf(page).flatMap(({ steps }) =>
    steps.flatMap((step) => {
      if (step.do === 'save') return [];
      return step.do === 'run' ? step.commands : step.lines.map(({ command }) => command);
    }),
  );
}

/** The commands of a section of the guide that are run without a look at what they print. */
export function commandsOf(wanted: string): readonly string[] {
  return sectionsOf(guideText()).flatMap(({ title, steps }) =>
    title === wanted ? steps.flatMap((step) => (step.do === 'run' ? step.commands : [])) : [],
  );
}

/**
 * The page with what commands have printed in the place of what it says they do: all of it, so that it is of one day, unless nothing differs but what differs
 * each time.
 *
 * @param printed in the order of the commands of all consoles
 */
export function withOutput(page: string, printed: readonly string[]): string {
  const onPage = sectionsOf(page).flatMap(({ steps }) =>
    steps.flatMap((step) => (step.do === 'type' ? step.lines : [])),
  );
  if (onPage.every(({ output }, index) => constantPart(output) === constantPart(printed[index] ?? ''))) return page;
  const outputs = printed.values();
  return page.replaceAll(BLOCK, (block: string, language: string, content: string) => {
    if (language !== 'console') return block;
    const lines = consoleLines(content).map(({ node, command, output }) => {
      const next = outputs.next().value ?? output;
      return `${node === undefined ? '$' : `${node}#`} ${command}\n${next.replaceAll(/ +$/gm, '')}`;
    });
    return `\`\`\`console\n${lines.join('')}\`\`\``;
  });
}

/**
 * The part of a text that does not differ each time: no ages, times, identifiers, digests of settings, names that Deployments give to pods, ClusterIPs that the API server chooses, addresses
 * of pods in the default network and MAC addresses of gateways, and not how wide columns are.
 */
export function constantPart(text: string): string {
  return (
    text
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UID')
      // Comments of the files count in it.
      .replaceAll(/(\bovn-uplinks-settings-)[a-z0-9]{10}\b/g, '$1HASH')
      // As apiserver/pkg/storage/names has them; of the addresses, those of the API and of DNS are always the same.
      .replaceAll(/(\b[a-z]+-[0-9b-z]{8,10})-[0-9b-z]{5}\b/g, '$1-POD')
      .replaceAll(/\b10\.96\.(?!0\.10?\b)\d+\.\d+\b(?!\/)/g, 'CLUSTER-IP')
      // A runtime that has to ask a second time gets the next one.
      .replaceAll(/(\b10\.244\.\d+\.)\d+\b(?!\/)/g, '$1POD')
      .replaceAll(/(Resource Version: +)\d+/g, '$1N')
      .replaceAll(/(MAC address )[0-9a-f:]{17}/g, '$1MAC')
      // The port of a pod has a name by its uid.
      .replaceAll(/\bovu[0-9a-f]+\b/g, 'PORT')
      .replaceAll(/(?<=^|\s)(\d+m)?\d+[ms](?=\s|$)/g, 'AGE')
      .replaceAll(/[ \t]+/g, ' ')
      .replaceAll(/ $/gm, '')
  );
}
