/** Words that ovs-ofctl(8) reads as another port than the one of that name: numbers, and the reserved ports. */
const READ_OTHERWISE = /^(?:\d.*|[A-Z_]+)$/;

/** Everything that ends a word of a match or an action, and the sign that stands for it. */
const SPECIAL = /[^\w.:@-]/gu;

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * A port's name as one word of matches and actions, another one for each name. Names of network devices may have nearly every character, such as
 * parentheses and quotes; these are written as in URLs (RFC 3986, section 2.1).
 */
export function portWord(name: string): string {
  const word = name.replaceAll(SPECIAL, escaped);
  if (!READ_OTHERWISE.test(word)) return word;
  return `${escaped(word.slice(0, 1))}${word.slice(1)}`;
}
