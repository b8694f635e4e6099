/** Options that say what pods of networks reach by their default network: Services by name, and addresses of DNS. */
import { InvalidArgumentError } from 'commander';
import { formattedString } from '../../domain/api/schema.ts';
import { addressRangeOf, canonicalAddress, isLinkLocal } from '../../domain/basics/addresses/ip-address.ts';
import type { AllowedService, ServiceName } from '../../domain/snapshot/settings.ts';

/** A name of a Service or a namespace (RFC 1123, label). */
const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';

const PORT = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';

const NAME = `${LABEL}/${LABEL}`;
const ALLOWED = `${NAME}(?::${PORT})?`;

const forms = {
  name: { pattern: `^${NAME}$`, expected: 'a namespace and a name, such as kube-system/kube-dns' },
  allowed: {
    pattern: `^${ALLOWED}(?:, *${ALLOWED})*$`,
    expected:
      'namespaces and names of Services, each with a port or without, such as monitoring/prometheus:9090,registry/registry',
  },
} as const;

/** The schema of the name of a Service in a file. */
export const serviceNameSchema = formattedString(forms.name);

/** The schema of names of Services in a file. */
export const allowedServicesSchema = formattedString(forms.allowed);

/** The form of addresses of DNS. */
const ADDRESSES = 'IP addresses, such as 169.254.20.10,fd00::a';

function inForm(form: { readonly pattern: string; readonly expected: string }) {
  return (text: string): string => {
    if (!new RegExp(form.pattern).test(text)) throw new InvalidArgumentError(`Expected ${form.expected}.`);
    return text;
  };
}

/** Takes the name of a Service of the command line as it is; throws InvalidArgumentError if it is none. */
export const serviceNameText = inForm(forms.name);

/** Takes names of Services likewise. */
export const allowedServicesText = inForm(forms.allowed);

const listed = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/** Uses of addresses that no pod reaches by a route. */
const UNREACHED: ReadonlySet<string> = new Set(['', 'unspecified', 'loopback', 'multicast', 'broadcast', 'ipv4Mapped']);

/** Whether a route of a pod may lead to an address. NodeLocal DNSCache has link-local ones of IPv4; those of IPv6 are of one link each. */
function isRouted(address: string): boolean {
  return !UNREACHED.has(addressRangeOf(address)) && !(address.includes(':') && isLinkLocal(address));
}

/** The fault of addresses of DNS, for people; undefined if there is none. */
export function dnsAddressesProblem(text: string): string | undefined {
  const wrong = listed(text).find((address) => !isRouted(address));
  return wrong === undefined ? undefined : `expected ${ADDRESSES}, found ${JSON.stringify(wrong)}`;
}

/** Takes addresses of DNS of the command line as they are; throws InvalidArgumentError if one is none. */
export function dnsAddressesText(text: string): string {
  const problem = dnsAddressesProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(`E${problem.slice(1)}.`);
  return text;
}

/** The name of a Service by its valid text. */
export function serviceNameOf(text: string): ServiceName {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

/** The Services of a valid list. */
export function allowedServicesOf(text: string | undefined): readonly AllowedService[] {
  return (text === undefined ? [] : listed(text)).map((each) => {
    const [name = '', port] = each.split(':');
    return { ...serviceNameOf(name), ...(port !== undefined && { port: Number(port) }) };
  });
}

/** The addresses of a valid list, each once. */
export function dnsAddressesOf(text: string | undefined): readonly string[] {
  return [...new Set((text === undefined ? [] : listed(text)).map(canonicalAddress))];
}
