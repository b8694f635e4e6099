import { isIP } from 'node:net';

/**
 * The destination of a route as CIDR. ip prints `default`, an address without prefix length for a host route, or CIDR.
 *
 * @returns absent if the text is not a destination of the family
 */
export function destinationCidr(printed: string, family: 4 | 6): string | undefined {
  const longest = family === 4 ? 32 : 128;
  if (printed === 'default') return family === 4 ? '0.0.0.0/0' : '::/0';
  const [address = '', length, ...rest] = printed.split('/');
  if (isIP(address) !== family || rest.length > 0) return undefined;
  if (length === undefined) return `${address}/${longest}`;
  return /^\d+$/.test(length) && Number(length) <= longest ? printed : undefined;
}
