/** Names that ovs-ofctl(8) takes for other ports: numbers and reserved ports. */
const READ_OTHERWISE = /^(?:\d.*|[A-Z_]+)$/;

/** Every character that ends a value in a match or an action, and its escape. */
const SPECIAL = /[^\w.:@-]/gu;

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * The name of a port in matches and actions, unique for each port. Names of network devices may contain nearly every character, such as parentheses
 * and quotes; these are percent-encoded (RFC 3986, section 2.1).
 */
export function portWord(name: string): string {
  const word = name.replaceAll(SPECIAL, escaped);
  if (!READ_OTHERWISE.test(word)) return word;
  return `${escaped(word.slice(0, 1))}${word.slice(1)}`;
}
