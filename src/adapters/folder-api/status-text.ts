import { type ScalarTag, stringify } from 'yaml';
import { kubernetesScalars } from '../manifests/yaml-scalars.ts';

/** What needs no quotes to be read as what it is. */
const plainTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:plain',
  default: true,
  test: /^(?!)/,
  identify: (value) => typeof value === 'boolean' || typeof value === 'number',
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/**
 * An object as YAML, for people and for the readers of manifests: keys in name order, as kubectl prints them, and in quotes whatever those
 * readers would take for something else than text. The same object gives the same bytes.
 */
export function statusText(object: object): string {
  const text = stringify(object, {
    schema: 'failsafe',
    customTags: [...kubernetesScalars, plainTag],
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  // YAML forbids some characters that its writer leaves as they are (YAML 1.2.2, 5.1); JSON can spell every one of them.
  return forbidden.test(text) ? `${escaped(JSON.stringify(object, undefined, 2))}\n` : text;
}

const forbidden = /[\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u;

function escaped(json: string): string {
  return json.replace(
    /[\x7f-\x9f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
