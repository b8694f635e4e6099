/**
 * Encapsulations in the output of ip (ip-route(8), ENCAP; iproute2, ip/iproute_lwtunnel.c).
 *
 * ip prints the fields of an encapsulation among those of the route or next hop, after the field `encap`, and some repeat a name of the route:
 * `{"dst":"10.8.0.0/16","encap":"mpls","dst":"100"}`. JSON parsers keep the last one, which would change the destination.
 */

/** Braces, and strings with the colon of a field name. */
const TOKENS = /[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/gs;

/** An object in the text, as far as read. */
interface OpenObject {
  /** The quoted field names before `encap`. */
  readonly names: Set<string>;
  encapsulates: boolean;
}

/**
 * Renames repeated fields of an encapsulation to `encap.NAME`. Names that are repeated again, such as `tos`, stay: the last one is the route's.
 *
 * @param text JSON without syntax errors
 */
export function renameEncapsulationFields(text: string): string {
  if (!text.includes('"encap"')) return text;
  const objects: OpenObject[] = [];
  return text.replace(TOKENS, (token, colon: string | undefined) => {
    if (token === '{') objects.push({ names: new Set(), encapsulates: false });
    else if (token === '}') objects.pop();
    const object = objects.at(-1);
    if (colon === undefined || object === undefined) return token;
    const name = token.slice(0, -colon.length);
    if (object.encapsulates && object.names.has(name)) return `"encap.${name.slice(1)}${colon}`;
    if (name === '"encap"') object.encapsulates = true;
    if (!object.encapsulates) object.names.add(name);
    return token;
  });
}
