/** The option that says how networks leave that name no Uplink. */
import { InvalidArgumentError } from 'commander';
import Type from 'typebox';
import { formattedString } from '../../domain/api/schema.ts';
import type { EgressSetting } from '../../domain/snapshot/settings.ts';

/** A name of an Uplink (RFC 1123, subdomain). */
const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAME = `(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*`;

const form = {
  pattern: `^(?:none|node|uplink=${NAME})$`,
  expected: 'none, node, or uplink= and the name of an Uplink, such as uplink=blue-underlay',
};

/** The schema of the option in a file. */
export const egressSchema = Type.Unsafe<EgressSetting>(formattedString(form));

/** Takes the option of the command line as it is; throws InvalidArgumentError if it is none. */
export function egressText(text: string): EgressSetting {
  if (!new RegExp(form.pattern).test(text)) throw new InvalidArgumentError(`Expected ${form.expected}.`);
  return text as EgressSetting;
}
