import { setSysctl as setSysctlIn } from '../node-model/sysctl.ts';
import { entryOf } from '../ownership/is-ours.ts';
import { withEntries, withoutEntries } from '../ownership/write-ledger.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Changes a kernel setting of an interface, or gives it back the value that it had before our first change. */
export interface SetSysctl extends OperationBase {
  readonly kind: 'set-sysctl';
  readonly device: string;
  readonly name: string;
  readonly value: string;
  /** Whether the value is the one from before our first change. */
  readonly restores: boolean;
}

function beforeOurs(
  name: string,
  sysctls: Readonly<Record<string, string>>,
  ledger: Parameters<typeof entryOf>[0],
): string {
  return entryOf(ledger, 'sysctl', name)?.before ?? sysctls[name] ?? '0';
}

export const setSysctl: OperationKind<SetSysctl> = {
  mark: '~',
  // Addresses have to be told to stay before the link goes down, and until it has come up for the last time.
  dependencies: ({ device, restores, networks }) =>
    restores
      ? { needs: [`cycled ${device}`], ends: networks.map((name) => `mapped ${name}`) }
      : { makes: [`kept addresses ${device}`, ...networks.map((name) => `network ${name}`)] },
  announce: ({ device, name, value, restores }, { ledger, sysctls }) =>
    restores
      ? ledger
      : withEntries(ledger, [{ kind: 'sysctl', device, name, before: beforeOurs(name, sysctls, ledger), value }]),
  effect: ({ name, value }, node) => setSysctlIn(node, name, value),
  confirm: ({ name, restores }, { ledger }) =>
    restores ? withoutEntries(ledger, (entry) => entry.kind === 'sysctl' && entry.name === name) : ledger,
  inverse: ({ networks, device, name }, { sysctls, ledger }) => {
    const value = sysctls[name] ?? '0';
    return [
      { kind: 'set-sysctl', networks, device, name, value, restores: value === beforeOurs(name, sysctls, ledger) },
    ];
  },
  disruption: () => 'none',
  command: ({ name, value }) => ({ program: 'sysctl', arguments: ['-w', `${name}=${value}`] }),
  summary: ({ name, value, restores }) => (restores ? `${name} = ${value}, as it was` : `${name} = ${value}`),
};
