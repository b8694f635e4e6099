import { resolve } from 'node:path';
import { ovsVsctl } from '../../commands.ts';
import type { LabNode } from '../../node.ts';
import { prepare } from '../../prepare.ts';
import { clusterNode } from '../../story-node.ts';
import { labProgram } from '../node-agent.ts';
import { redBridge } from './scenario.ts';

/** A strange text that other programs have written before. */
const FOREIGN_TEXT = ' physnet:br-ex ,, odd::text:, other net:br-odd';

/** The output of inside/other-writer.py. */
interface OtherWriter {
  readonly rounds: number;
  /** Rounds in which another program wrote first. */
  readonly beaten: number;
  /** Entries of either program that were missing. */
  readonly lost: readonly string[];
  /** Its own entries at the end. */
  readonly own: readonly string[];
}

/** The result. */
export interface SharedMappings {
  readonly other: OtherWriter;
  readonly agent: { readonly rounds: number; readonly seconds: number; readonly wrong: readonly string[] };
  /** The text at the end. */
  readonly text: string;
}

/** Adds and removes an entry for a number of rounds, and with a number of loops, while another program does the same with its own entries. */
export async function shareMappings(node: LabNode, rounds: number, loops: number): Promise<SharedMappings> {
  const mappings = `external_ids:ovn-bridge-mappings="${FOREIGN_TEXT}"`;
  await prepare(node, [...clusterNode, ...redBridge, ovsVsctl`set Open_vSwitch . ${mappings}`]);
  const writer = await node.start(
    [resolve(import.meta.dirname, '../../inside/other-writer.py'), '5'],
    '/run/other-writer',
  );
  const driver = labProgram('test/integration/lab/agent/faults/mapping-rounds.ts', String(rounds), String(loops));
  const result = await node.run(driver, { deadline: 3_600_000 });
  await node.does(['/bin/busybox', 'touch', '/run/other-writer.end']);
  await writer.exit();
  const output = await node.read('/run/other-writer');
  if (result.exitCode !== 0 || !output.startsWith('{')) throw new Error(`${result.stderr}${output}`);
  const { switchExternalIds } = await node.snapshot();
  return {
    other: JSON.parse(output) as OtherWriter,
    agent: JSON.parse(result.stdout) as SharedMappings['agent'],
    text: switchExternalIds['ovn-bridge-mappings'] ?? '',
  };
}

/** Lost entries of other programs. */
export function lostOf({ other, text }: SharedMappings): readonly string[] {
  const entries = text.split(',');
  const missing = other.own.filter((entry) => !entries.includes(entry));
  const foreign = entries.filter((entry) => !/^other\d+:br-other$/.test(entry)).join(',');
  return [...other.lost, ...missing, ...(foreign === FOREIGN_TEXT ? [] : [`${FOREIGN_TEXT} became ${foreign}`])];
}
