/** Names of objects that have a namespace, where `--namespace` gives it. */
import { isNetworkKey, nameOfNetwork } from '../../domain/network/key.ts';
import type { Command } from 'commander';

/** Adds the option. */
export function withNamespaceOption(command: Command): Command {
  return command.option(
    '-n, --namespace <name>',
    'namespace of the UserDefinedNetworks and pods that are named without one',
  );
}

/** The name of a network: with a namespace that of a UserDefinedNetwork, as `demo/blue`; or that in a key, as `UserDefinedNetwork/demo/blue`. */
export function networkIn(namespace: string | undefined, name: string): string {
  if (isNetworkKey(name)) return nameOfNetwork(name);
  return namespace === undefined || name.includes('/') ? name : `${namespace}/${name}`;
}

/** A text in which `pod/NAME` or `service/NAME` stands for an object, with its namespace: `pod/demo/web`. */
export function podsIn(namespace: string | undefined, text: string): string {
  return namespace === undefined
    ? text
    : text.replaceAll(/\b(pod|service)\/([^/:\s]+)(?=[:\s]|$)/g, `$1/${namespace}/$2`);
}
