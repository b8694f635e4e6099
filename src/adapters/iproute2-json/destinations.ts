import { isIP } from 'node:net';

/**
 * The destination of a route as CIDR, of what ip prints: `default`, an address without a prefix length for a single one, or CIDR.
 *
 * @returns absent for text that is no destination of the family
 */
export function destinationCidr(printed: string, family: 4 | 6): string | undefined {
  const longest = family === 4 ? 32 : 128;
  if (printed === 'default') return family === 4 ? '0.0.0.0/0' : '::/0';
  const [address = '', length, ...rest] = printed.split('/');
  if (isIP(address) !== family || rest.length > 0) return undefined;
  if (length === undefined) return `${address}/${longest}`;
  return /^\d+$/.test(length) && Number(length) <= longest ? printed : undefined;
}
