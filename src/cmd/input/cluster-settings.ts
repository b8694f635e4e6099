/** The settings of commands that read a cluster: those that its agents run with. */
import { existsSync } from 'node:fs';
import type { Container } from 'inversify';
import { answerOf, apiServerOf, placeOf } from './cluster-api.ts';
import { ports } from '../ports/container.ts';
import type { InputOptions } from './inputs.ts';
import type { FurtherSettings } from './settings.ts';
import { readSettings, settingsOf, type SettingsFile, settingsOfWords } from './settings-files.ts';
import type { Terminal } from '../output/terminal.ts';

/** Where a pod has the settings (config/agent/daemon-set.yaml). */
const MOUNTED = '/etc/ovn-uplinks';

const NONE = { read: true, config: {}, warnings: [] } as const satisfies FurtherSettings;

function unknown(why: string): FurtherSettings {
  return {
    ...NONE,
    warnings: [
      `the settings of the cluster cannot be read, so defaults count: ${why}; --config names a file with them`,
    ],
  };
}

/** How a command prints its results is its own matter. */
function ofCluster(reading: FurtherSettings, source: string): FurtherSettings {
  if (!reading.read) return unknown(reading.problems.join('; '));
  const { output: _output, ...config } = reading.config;
  return { ...reading, config, source: `settings: ${source}` };
}

/**
 * Reads the settings that the agents of a cluster run with, if the objects of a command come from its API server; without them defaults count, with a
 * warning. In a pod they are mounted.
 */
export async function clusterSettings(
  options: InputOptions,
  container: Container,
  terminal: Terminal,
): Promise<FurtherSettings> {
  const choice = apiServerOf(options);
  if (choice === undefined) return NONE;
  if (choice.files === undefined && existsSync(MOUNTED)) return ofCluster(await readSettings(MOUNTED), MOUNTED);
  const server = `the API server of ${placeOf(choice)}`;
  const asked = container.get(ports.startedWith)(choice, options.systemNamespace);
  const reading = await answerOf(server, asked, terminal);
  if (reading.outcome === 'unusable') return { read: false, problems: [reading.message] };
  if (reading.outcome === 'unknown') return unknown(reading.message);
  const { source, files, deployment, words } = reading.value;
  const ofCommand: readonly SettingsFile[] = settingsOfWords(deployment, words);
  const all = settingsOf([...files, ...ofCommand]);
  return ofCluster(all, ofCommand.length === 0 ? source : `${source}, and the command of ${deployment}`);
}
