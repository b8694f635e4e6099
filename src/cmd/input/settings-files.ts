/**
 * Files with options by their long names, as `--config` takes them and as ConfigMaps have them.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { describeFileSystemError } from '../../adapters/manifests/file-system-error.ts';
import { isJsonObject } from '../../adapters/json/json-object.ts';
import { parseText } from '../../adapters/manifests/parse-text.ts';
import { readFileText } from '../../adapters/manifests/read-text.ts';
import { conformanceTo } from '../../domain/api/conformance.ts';
import { stringEnum, struct } from '../../domain/api/schema.ts';
import { isCidr } from '../../domain/basics/addresses/ip-address.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { namespaceName, optionSchemas, subnetOptions } from './cluster-options.ts';
import { outputFormats } from '../output/output-format.ts';
import { addressProblem } from '../ports/ovn-servers.ts';
import { dnsAddressesProblem } from './service-options.ts';

/** The schema of a `--config` file: options by their long names. */
const configSchema = struct({
  ...optionSchemas,
  // The former name of system-namespace.
  namespace: Type.Optional(namespaceName),
  'ovn-northbound': Type.Optional(Type.String({ minLength: 1 })),
  'ovn-southbound': Type.Optional(Type.String({ minLength: 1 })),
  'private-key': Type.Optional(Type.String({ minLength: 1 })),
  certificate: Type.Optional(Type.String({ minLength: 1 })),
  'ca-cert': Type.Optional(Type.String({ minLength: 1 })),
  output: Type.Optional(stringEnum(outputFormats)),
  'log-level': Type.Optional(stringEnum(['debug', 'info', 'warn', 'error'])),
});

/** The names of the options that a file may have. */
export const fileOptions = Object.keys(configSchema.properties).filter((name) => name !== 'namespace');

/** The options of a file. */
export type Config = Static<typeof configSchema>;

const conform = conformanceTo(configSchema);
const knownKeys: ReadonlySet<string> = new Set(Object.keys(configSchema.properties));

/** Options with addresses of databases or of DNS, and the fault of a text, if any. */
const addressOptions = {
  'ovn-northbound': addressProblem,
  'ovn-southbound': addressProblem,
  'dns-addresses': dnsAddressesProblem,
} as const;

/** A file with options, by the name that messages have for it. */
export interface SettingsFile {
  readonly name: string;
  readonly text: string;
}

/** The options of files, with what a person should know of them; or what is wrong with the files. */
export type SettingsReading =
  | { readonly read: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly read: false; readonly problems: readonly string[] };

function failed(...problems: readonly string[]): SettingsReading {
  return { read: false, problems };
}

/** The options in files. If several have an option, that of the last file counts. */
export function settingsOf(files: readonly SettingsFile[]): SettingsReading {
  let config: Config = {};
  const warnings: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const reading = settingsIn(file);
    if (!reading.read) problems.push(...reading.problems);
    else {
      config = { ...config, ...reading.config };
      warnings.push(...reading.warnings);
    }
  }
  return problems.length === 0 ? { read: true, config, warnings } : { read: false, problems };
}

function settingsIn({ name: file, text }: SettingsFile): SettingsReading {
  const { documents, errors } = parseText(text);
  const several = documents.length > 1 ? [`expected one YAML document, found ${documents.length}`] : [];
  const unreadable = [...errors, ...several].map((message) => `${file}: ${message}`);
  if (unreadable.length > 0) return failed(...unreadable);
  const value = documents[0]?.value ?? {};
  const conformance = conform(value);
  const unknown = isJsonObject(value) ? Object.keys(value).filter((key) => !knownKeys.has(key)) : [];
  const problems = [
    ...unknown.map((key) => `${file}: ${key}: unknown option; known are ${[...knownKeys].join(', ')}`),
    ...(conformance.conforms
      ? subnetOptions.flatMap((key) =>
          (conformance.value[key] ?? [])
            .filter((subnet) => !isCidr(subnet))
            .map(
              (subnet) => `${file}: ${key}: expected a subnet such as 169.254.0.0/17, found ${JSON.stringify(subnet)}`,
            ),
        )
      : conformance.findings.map(
          ({ path, expected, found }) => `${file}: ${path || 'the file'}: expected ${expected}, found ${found}`,
        )),
  ];
  for (const [name, problemOf] of Object.entries(addressOptions)) {
    const text = conformance.conforms ? conformance.value[name as keyof typeof addressOptions] : undefined;
    const problem = text === undefined ? undefined : problemOf(text);
    if (problem !== undefined) problems.push(`${file}: ${name}: ${problem}`);
  }
  if (!conformance.conforms || problems.length > 0) return failed(...problems);
  const { namespace, ...others } = conformance.value as Config;
  if (namespace === undefined) return { read: true, config: others, warnings: [] };
  return {
    read: true,
    config: { 'system-namespace': namespace, ...others },
    warnings: [`${file}: namespace: is called system-namespace now`],
  };
}

/** The options among the words of a command, such as `--networks=all`, as a file; no file without any. */
export function settingsOfWords(name: string, words: readonly string[]): readonly SettingsFile[] {
  const options: Record<string, unknown> = {};
  for (const [index, word] of words.entries()) {
    const [, key = '', given] = /^--([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (!knownKeys.has(key)) continue;
    const next = words[index + 1];
    const text = given ?? (next === undefined || next.startsWith('-') ? 'true' : next);
    const value = parseText(text).documents[0]?.value;
    const isList = subnetOptions.some((list) => list === key);
    options[key] = isList ? [...((options[key] as readonly unknown[] | undefined) ?? []), text] : value;
  }
  return Object.keys(options).length === 0 ? [] : [{ name, text: JSON.stringify(options) }];
}

/** Reads the options in a file, or in all files of a folder by name but those whose name begins with a dot, as a mounted ConfigMap has them. Never rejects. */
export async function readSettings(path: string): Promise<SettingsReading> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path)).filter((name) => !name.startsWith('.')).sort(byName) : [];
    if (isFolder && names.length === 0)
      return failed(`${path}: has no file: expected one with options, such as settings.yaml`);
    const readings = await Promise.all(
      (isFolder ? names.map((name) => join(path, name)) : [path]).map(
        async (name) => [name, await readFileText(name)] as const,
      ),
    );
    const problems = readings.flatMap(([name, reading]) =>
      reading.read ? [] : reading.problems.map(({ message }) => `${name}: ${message}`),
    );
    if (problems.length > 0) return failed(...problems);
    return settingsOf(readings.flatMap(([name, reading]) => (reading.read ? [{ name, text: reading.value }] : [])));
  } catch (error) {
    return failed(`${path}: ${describeFileSystemError(error)}`);
  }
}
