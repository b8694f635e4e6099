/** Conversion of ports in flows: Open vSwitch uses numbers, which change when a bridge or a port is recreated; the engine uses names. */
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { portWord } from '../../domain/datapath/openflow/port-word.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';

/** Number of the bridge's own port, `LOCAL` in flows (openflow-1.0.h, OFPP_LOCAL). */
const LOCAL = 0xfffe;

/** The ports of a bridge that have numbers. */
export interface PortNumbers {
  readonly names: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<string, number>;
  /** Names in flows by number, and the reverse; without the bridge's own port. */
  readonly words: ReadonlyMap<string, string>;
  readonly numbersOfWords: ReadonlyMap<string, string>;
}

/** The ports of a bridge that have numbers. */
export const portNumbers = lazyByObject(({ ports }: Bridge): PortNumbers => {
  const numbered = ports
    .flatMap(({ interfaces }) => interfaces)
    .flatMap(({ name, openFlowPort }) => (openFlowPort === undefined ? [] : [[name, openFlowPort] as const]));
  const words = numbered
    .filter(([, number]) => number !== LOCAL)
    .map(([name, number]) => [portWord(name), String(number)] as const);
  return {
    names: new Map(numbered.map(([name, number]) => [number, name])),
    numbers: new Map(numbered),
    words: new Map(words.map(([word, number]) => [number, word])),
    numbersOfWords: new Map(words),
  };
});

/** A text that changes with the ports of a bridge: their names, numbers and VLANs. */
export const portSignature = lazyByObject(({ ports }: Bridge): string =>
  JSON.stringify(
    ports.map(({ name, tag, vlanMode, trunks, interfaces }) => [
      name,
      tag,
      vlanMode,
      trunks,
      interfaces.map((member) => [member.name, member.openFlowPort]),
    ]),
  ),
);

/**
 * Ports in flows as ovs-ofctl(8) prints them: in matches, in outputs, also of nested actions, as input port of a resubmit, and as a target of
 * samples. A field that holds a port may follow instead, such as `NXM_OF_IN_PORT[]`.
 */
const PORT =
  /\b(in_port=|actset_output=|output:|output\(port=|resubmit:|resubmit\(|sampling_port=)([\w.:@%-]+)(?![\w.:@%[-])/g;

/** Lists of ports of which a packet is output to one (ovs-actions(7), bundle). */
const MEMBERS = /\b((?:members|slaves):)([\w.:@%,-]+)/g;

function replacedPorts(text: string, replaced: (port: string) => string): string {
  return text
    .replace(PORT, (_, before: string, port: string) => `${before}${replaced(port)}`)
    .replace(MEMBERS, (_, before: string, ports: string) => `${before}${ports.split(',').map(replaced).join(',')}`);
}

/** Replaces numbers of ports by names; a number of no port stays. */
export function withNames(text: string, { words }: PortNumbers): string {
  return replacedPorts(text, (number) => words.get(number) ?? number);
}

/** Replaces names of ports by numbers; a name of a port without a number stays. */
export function withKnownNumbers(text: string, { numbersOfWords }: PortNumbers): string {
  return replacedPorts(text, (word) => numbersOfWords.get(word) ?? word);
}

/** Texts that are not a name: numbers and reserved ports (ovs-ofctl(8), Port syntax). */
const NO_NAME = /^(?:\d+|[A-Z_]+)$/;

/** Replaces names of ports by numbers; or returns the name of a port without a number. */
export function withNumbers(
  text: string,
  { numbersOfWords }: PortNumbers,
): { readonly text: string } | { readonly missing: string } {
  let missing: string | undefined;
  const numbered = replacedPorts(text, (word) => {
    const number = numbersOfWords.get(word);
    if (number === undefined && !NO_NAME.test(word)) missing ??= word;
    return number ?? word;
  });
  return missing === undefined ? { text: numbered } : { missing };
}

/** The name of a port in lists of ovs-ofctl(8) and ovs-appctl(8); a number of no port stays. */
export function nameOfPort(port: string, bridge: Bridge): string {
  if (port === 'LOCAL') return bridge.name;
  return portNumbers(bridge).names.get(Number(port)) ?? port;
}
