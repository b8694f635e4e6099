import type { Operation } from '../operations/operation-kinds.ts';
import { by } from '../ordering.ts';
import type { ChangedSysctl } from '../ownership/ledger.ts';
import { entryKey } from '../ownership/settle.ts';
import { type Difference, wantedThings } from './difference.ts';
import type { Changes } from './own-things.ts';

/** Kernel settings: those that are wanted are made, those that we made and nobody wants any more get back the value that they had. */
export function sysctlChanges({ before, programmed, kept, networksOf }: Difference): Changes {
  const wanted = wantedThings(
    programmed,
    ({ sysctls }) => sysctls,
    ({ name }) => name,
  );
  const additions = [...wanted.values()]
    .filter(({ thing: { name, value } }) => before.sysctls[name] !== value)
    .map(({ networks, thing }): Operation => ({ kind: 'set-sysctl', networks, ...thing, restores: false }));
  const removals = before.ledger.entries
    .filter((entry): entry is ChangedSysctl => entry.kind === 'sysctl')
    .filter(({ name, device }) => !wanted.has(name) && !kept.hasDevice(device))
    .sort(by(entryKey))
    .map(({ device, name, before: value }): Operation => ({
      kind: 'set-sysctl',
      networks: networksOf.ofDevice(device),
      device,
      name,
      value,
      restores: true,
    }));
  return { removals, additions };
}
