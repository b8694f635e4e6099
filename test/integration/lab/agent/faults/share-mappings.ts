import { resolve } from 'node:path';
import { ovsVsctl } from '../../commands.ts';
import type { LabNode } from '../../node.ts';
import { prepare } from '../../prepare.ts';
import { clusterNode } from '../../story-node.ts';
import { labProgram } from '../node-agent.ts';
import { redBridge } from './scenario.ts';

/** What others had written before, which nobody would write so. */
const ODD_TEXT = ' physnet:br-ex ,, odd::text:, other net:br-odd';

/** What another writer of the mappings saw. */
interface OtherWriter {
  readonly rounds: number;
  readonly beaten: number;
  /** Entries of either side that were missing while they should not. */
  readonly lost: readonly string[];
  /** Its entries at the end. */
  readonly own: readonly string[];
}

/** What came of it when both had ended. */
export interface SharedMappings {
  readonly other: OtherWriter;
  readonly agent: { readonly rounds: number; readonly seconds: number; readonly wrong: readonly string[] };
  /** The text at the end. */
  readonly text: string;
}

/** Has an entry added and removed so many rounds, and by whole loops besides, while another program does so with entries of its own. */
export async function shareMappings(node: LabNode, rounds: number, loops: number): Promise<SharedMappings> {
  const mappings = `external_ids:ovn-bridge-mappings="${ODD_TEXT}"`;
  await prepare(node, [...clusterNode, ...redBridge, ovsVsctl`set Open_vSwitch . ${mappings}`]);
  const writer = await node.start(
    [resolve(import.meta.dirname, '../../inside/other-writer.py'), '5'],
    '/run/other-writer',
  );
  const driver = labProgram('test/integration/lab/agent/faults/mapping-rounds.ts', String(rounds), String(loops));
  const printed = await node.run(driver, { deadline: 3_600_000 });
  await node.does(['/bin/busybox', 'touch', '/run/other-writer.end']);
  await writer.exit();
  const said = await node.read('/run/other-writer');
  if (printed.exitCode !== 0 || !said.startsWith('{')) throw new Error(`${printed.stderr}${said}`);
  const { switchExternalIds } = await node.snapshot();
  return {
    other: JSON.parse(said) as OtherWriter,
    agent: JSON.parse(printed.stdout) as SharedMappings['agent'],
    text: switchExternalIds['ovn-bridge-mappings'] ?? '',
  };
}

/** What is lost of what others had written, or wrote meanwhile. */
export function lostOf({ other, text }: SharedMappings): readonly string[] {
  const entries = text.split(',');
  const missing = other.own.filter((entry) => !entries.includes(entry));
  const foreign = entries.filter((entry) => !/^other\d+:br-other$/.test(entry)).join(',');
  return [...other.lost, ...missing, ...(foreign === ODD_TEXT ? [] : [`${ODD_TEXT} became ${foreign}`])];
}
