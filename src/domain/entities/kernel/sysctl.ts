import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { setSysctl } from '../../node-model/sysctl.ts';
import { deviceInSetting, deviceSetting } from '../../snapshot/device-settings.ts';
import { type ChangedSysctl, entriesOf, entryOf } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Command } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { Discrepancy, EntityKind, EntityStep } from '../entity-kind.ts';

/** The value of a kernel setting of an interface. To remove a managed value is to restore the one before ovn-uplinks' first change. */
export interface SysctlEntity {
  readonly kind: 'sysctl';
  readonly device: string;
  /** Dotted name of the setting. */
  readonly name: string;
  readonly value: string;
}

const settingsIn = lazyByObject((sysctls: NodeSnapshot['sysctls']): readonly SysctlEntity[] =>
  Object.entries(sysctls).map(([name, value]) => ({
    kind: 'sysctl',
    device: (deviceInSetting(name) ?? '').replaceAll('/', '.'),
    name,
    value,
  })),
);

/**
 * The device, if the setting is the one that disables IPv6 on it. It is changed on VRFs and management ports only
 * (dataplane/ipv6-setting.ts).
 */
function deviceOfIpv6({ device, name }: Pick<SysctlEntity, 'device' | 'name'>): readonly string[] {
  return name === deviceSetting(6, device, 'disable_ipv6') ? [device] : [];
}

/** Whether it is the setting by which IPv6 is disabled on its device. */
export function isIpv6Setting(entity: Pick<SysctlEntity, 'device' | 'name'>): boolean {
  return deviceOfIpv6(entity).length > 0;
}

/** The entity that restores the value before ovn-uplinks' first change. */
function restored({ device, name, before }: ChangedSysctl): SysctlEntity {
  return { kind: 'sysctl', device, name, value: before };
}

function discrepancy({ name, value }: SysctlEntity, { sysctls }: NodeSnapshot): Discrepancy {
  return { path: name, found: sysctls[name] ?? 'none', wanted: value };
}

/** Back to its present value, which may be the one before the first change. */
function inverse(entity: SysctlEntity, { sysctls, ledger }: NodeSnapshot): readonly EntityStep<SysctlEntity>[] {
  const value = sysctls[entity.name] ?? '0';
  const before = entryOf(ledger, 'sysctl', entity.name)?.before ?? value;
  return [{ verb: value === before ? 'remove' : 'add', entity: { ...entity, value } }];
}

function command({ name, value }: SysctlEntity): Command {
  return { program: 'sysctl', arguments: ['-w', `${name}=${value}`] };
}

export const sysctl: EntityKind<SysctlEntity, 'kernelSettings'> = {
  kind: 'sysctl',
  parts: ['sysctls'],
  identity: ({ name }) => name,
  satisfies: (found, desired) => found.value === desired.value,
  all: ({ sysctls }) => settingsIn(sysctls),
  put: (node, entities) => ({
    ...node,
    sysctls: { ...node.sysctls, ...Object.fromEntries(entities.map(({ name, value }) => [name, value])) },
  }),
  // The setting exists also if it is not managed, with its former value.
  take: (node, entities) => {
    const sysctls = new Map(Object.entries(node.sysctls));
    for (const { name } of entities) {
      const changed = entryOf(node.ledger, 'sysctl', name);
      if (changed === undefined) sysctls.delete(name);
      else sysctls.set(name, changed.before);
    }
    return { ...node, sysctls: Object.fromEntries(sysctls) };
  },
  comparable: ({ name, value }) => `${name} = ${value}`,
  undoneByOthers: ({ name }, node) => {
    const change = setSysctl(node, name, entryOf(node.ledger, 'sysctl', name)?.before ?? '0');
    return change.done ? change.node : node;
  },
  isTakenOver: true,
  isOurs: ({ name }, ledger) => entryOf(ledger, 'sysctl', name) !== undefined,
  own: ({ ledger }) => entriesOf(ledger, 'sysctl').map(restored),
  anchor: ({ device }) => ({ vrf: device }),
  basis: ({ device }) => [`management-port ${device}`, `vrf ${device}`],
  linkCycleDevices: ({ device }) => [device],
  ledger: {
    entry: ({ device, name, value }, { ledger, sysctls }) => ({
      kind: 'sysctl',
      device,
      name,
      before: entryOf(ledger, 'sysctl', name)?.before ?? sysctls[name] ?? '0',
      value,
    }),
    isAbout: (entry, { name }) => entry.kind === 'sysctl' && entry.name === name,
    until: ['remove'],
  },
  port: 'kernelSettings',
  capturedIn: () => [capturedFiles.sysctls],
  text: ({ name, value }) => `${name} = ${value}`,
  add: {
    name: 'set-sysctl',
    mark: '~',
    // Set before the link goes down for the first time, until it has come up for the last time.
    dependencies: (entity, networks) => ({
      makes: [
        dependency('keep-addresses', entity.device),
        ...dependencies('ipv6', deviceOfIpv6(entity)),
        ...dependencies('network', networks),
      ],
      needs: [dependency('link', entity.device)],
    }),
    effect: ({ name, value }, node) => setSysctl(node, name, value),
    inverse,
    command,
    discrepancy,
  },
  remove: {
    name: 'set-sysctl',
    mark: '~',
    dependencies: (entity, networks) => ({
      needs: [dependency('after-cycle', entity.device)],
      uses: [dependency('link', entity.device)],
      ends: [...dependencies('ipv6', deviceOfIpv6(entity)), ...dependencies('traffic', networks)],
    }),
    effect: ({ name, value }, node) => setSysctl(node, name, value),
    inverse,
    command,
    summary: ({ name, value }) => `${name} = ${value}, as it was`,
    discrepancy,
  },
};
