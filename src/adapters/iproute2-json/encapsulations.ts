/**
 * Encapsulations in the output of ip (ip-route(8), ENCAP; iproute2, ip/iproute_lwtunnel.c).
 *
 * Where a route or a next hop has one, ip prints its fields among the route's own, after the name `encap`, and some bear a name that
 * the route has used before: `{"dst":"10.8.0.0/16","encap":"mpls","dst":"100"}`. Of two such names every JSON reader keeps the last, and
 * the route would seem to lead elsewhere.
 */

/** Braces, and texts with the colon that makes a name of them. */
const TOKENS = /[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/gs;

/** An object of the text, as far as it has been read. */
interface OpenObject {
  /** The names before `encap`, in quotes. */
  readonly names: Set<string>;
  encapsulates: boolean;
}

/**
 * The text with fields of an encapsulation whose names were used before it called `encap.NAME`. Names that come again after it, such as
 * `tos`, stay: the last one is the route's.
 *
 * @param text JSON without syntax errors
 */
export function setEncapsulationsApart(text: string): string {
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
