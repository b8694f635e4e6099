const MAX_NAME_LENGTH = 253;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);

/** What `isObjectName` asks for, in words. */
export const objectNameRule =
  'a name of at most 253 lower-case letters, digits, "-" and ".", with a letter or digit at either end and beside each "."';

/** Whether Kubernetes takes a text as an object's name: a DNS-1123 subdomain (apimachinery, IsDNS1123Subdomain). */
export function isObjectName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && subdomain.test(name);
}
