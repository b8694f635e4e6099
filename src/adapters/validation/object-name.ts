const MAX_NAME_LENGTH = 253;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);

/** The rule of `isObjectName` in words. */
export const objectNameRule =
  'a name of at most 253 lower-case letters, digits, "-" and ".", with a letter or digit at both ends and on both sides of each "."';

/** Whether a text is a valid object name in Kubernetes: a DNS-1123 subdomain (apimachinery, IsDNS1123Subdomain). */
export function isObjectName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && subdomain.test(name);
}
