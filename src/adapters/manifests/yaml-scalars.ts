/**
 * What a scalar without quotes means to Kubernetes, which reads YAML 1.1 with some of it left out (sigs.k8s.io/yaml, on go-yaml v2:
 * resolve.go). Compared with YAML 1.2: `yes`, `on`, `y` and their like are booleans and `012` is octal. Compared with YAML 1.1:
 * `02:42:00` is no number to base 60 and `2024-01-02` no date, both stay strings.
 */
import type { ScalarTag } from 'yaml';

const nullTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:null',
  default: true,
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => null,
};

const trueTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/,
  resolve: () => true,
};

const falseTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/,
  resolve: () => false,
};

const intTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(?:0[xX][_\da-fA-F]*[\da-fA-F]_*|0[bB][_01]*[01]_*|0[oO]?[_0-7]*[0-7]_*|0_*|[1-9][\d_]*)$/,
  resolve: integerOf,
};

const floatTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d[\d_]*)?$/,
  resolve: (text) => finite(Number(text.replaceAll('_', '')), text),
};

/** Infinity and "not a number" are recognised only to be refused: JSON, and so an object of the API, cannot hold them. */
const nonFiniteTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  resolve: (text, onError) => {
    onError(`${text} is no value that an object of the API can hold`);
    return text;
  },
};

function integerOf(text: string): number | string {
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  const magnitude = /^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return finite(text.startsWith('-') ? -magnitude : magnitude, text);
}

/** A number that is too large for one is left as text, by which its schema can say what was expected there. */
function finite(value: number, text: string): number | string {
  return Number.isFinite(value) ? value : text;
}

/** The tags that give scalars without quotes their meaning; any other scalar is a string. */
export const kubernetesScalars: readonly ScalarTag[] = [nullTag, trueTag, falseTag, intTag, floatTag, nonFiniteTag];
