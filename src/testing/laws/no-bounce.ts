import { type Entity, entityKey, kindOf } from '../../domain/entities/entity-kinds.ts';
import { operationText } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { type ObservedChanges, entityChanges } from './entities.ts';
import { exceptionLabel, type ExceptionOf, isExceptionOf } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { LawViolation } from './violation.ts';

const law = '8 no bounce';

type BounceException = ExceptionOf<typeof law>;

interface Removal {
  readonly entity: Entity;
  /** Everything that the operation did which removed it. */
  readonly by: ObservedChanges;
}

/** Keys of what an entity is or goes with. */
function basesOf(entity: Entity): readonly string[] {
  const devices = kindOf<Entity>(entity).linkCycleDevices?.(entity) ?? [];
  return [...devices.map((device) => `vrf ${device}`), ...(kindOf<Entity>(entity).basis?.(entity) ?? [])];
}

/** The exception by which an entity that was removed may be made again in the same run; absent where there is none. */
function exceptionOf({ entity, by }: Removal, again: Entity, tables: ReadonlySet<string>): BounceException | undefined {
  if (basesOf(entity).some((key) => tables.has(key))) {
    const exception = `${entity.kind}: VRF with another table`;
    if (isExceptionOf(law, exception)) return exception;
  }
  // An interface entered or left a VRF.
  if ([...by.removed, ...by.made].some(({ kind }) => kind === 'membership')) {
    const exception = `${entity.kind}: displaced`;
    if (isExceptionOf(law, exception)) return exception;
  }
  if (entity.kind !== 'route' || again.kind !== 'route') return undefined;
  if (entity.route.protocol !== again.route.protocol) return 'route: another owner';
  return by.removed.some(({ kind }) => kind === 'address') ? 'route: source address removed' : undefined;
}

/** Law 8: while a node converges, no entity is removed and made again, by whatever operations. */
export function checkNoBounce(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const { operations, states } = converge(engine, law, { cluster, settings }, found);
    const removals = new Map<string, Removal>();
    /** Keys of the VRFs that are made again with another table. */
    const tables = new Set<string>();
    const labels: string[] = [];
    for (const [index, by] of entityChanges(states).entries()) {
      for (const entity of by.removed) removals.set(entityKey(entity), { entity, by });
      for (const again of by.made) {
        const key = entityKey(again);
        const removal = removals.get(key);
        if (removal === undefined) continue;
        const { entity } = removal;
        if (entity.kind === 'vrf' && again.kind === 'vrf' && entity.table !== again.table) tables.add(key);
        const exception = exceptionOf(removal, again, tables);
        if (exception === undefined) {
          const operation = operations[index];
          throw new LawViolation(law, `${key} is removed and made again, by ${operation && operationText(operation)}`);
        }
        labels.push(exceptionLabel(law, exception));
      }
    }
    return removals.size > 0 ? ['removal', ...labels] : labels;
  });
}
