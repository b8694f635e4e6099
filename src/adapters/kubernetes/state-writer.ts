/**
 * Writes of UplinkStates (docs/design/api-decisions.md, "Objects"). An agent sees the states with the label of its node; whose a state is, its status and
 * annotations say. So under the name of a state that an agent does not see there may be one: its own, without the label, or another's.
 */
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import { isPartOf } from '../../domain/status/part-of.ts';
import { belongsTo, identityOf, saidIdentity } from '../../domain/status/state-identity.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { JsonObject } from '../json/json-object.ts';
import { acceptedObject } from './accepted-object.ts';
import type { Created, ObjectWriter } from './object-writer.ts';
import { uidIn } from './observed-objects.ts';
import type { WatchedList } from './watched-list.ts';

const accept = acceptedObject('uplinkStates');

/**
 * Writes or creates a state. One of its name that does not say whose it is is taken over; one of another identity is left as it is. Never rejects.
 *
 * @param list those that are seen
 */
export async function writeState(state: UplinkState, writer: ObjectWriter, list: WatchedList): Promise<ApplyResult> {
  const { name } = state.metadata;
  const seen = list.get(name);
  if (seen !== undefined) return await overwrite(state, seen, list.uidOf(name), writer);
  if (list.uidOf(name) === undefined) {
    const created = await create(state, writer);
    if (created.done || created.exists !== true) return created;
  }
  const found = await writer.find(name);
  if (!found.done) return found;
  const uid = uidIn(found.object);
  const { object: readable } = accept(found.object, undefined);
  const written = await overwrite(withFormerTimes(state, readable), found.object, uid, writer);
  if (written.done || written.isRefused === true || readable !== undefined) return written;
  // Server-side apply fails on fields of other types, and nothing of such a state is worth keeping.
  const deleted = await writer.delete(name, uid);
  return deleted.done ? await create(state, writer) : deleted;
}

async function create({ metadata, status = {} }: UplinkState, writer: ObjectWriter): Promise<Created> {
  const created = await writer.create({ metadata });
  return created.done ? await writer.apply(metadata.name, { status }) : created;
}

async function overwrite(
  state: UplinkState,
  stored: JsonObject,
  uid: string | undefined,
  writer: ObjectWriter,
): Promise<ApplyResult> {
  const { metadata, status = {} } = state;
  const { name } = metadata;
  const other = otherIdentity(stored as unknown as UplinkState, state);
  if (other !== undefined)
    return { done: false, error: `UplinkState/${name}: it already exists, and is ${other}`, isRefused: true };
  if (!isPartOf(metadata, stored['metadata'])) {
    const applied = await writer.apply(name, { metadata }, { uid });
    if (!applied.done) return applied;
  }
  return await writer.apply(name, { status }, { uid });
}

/** The Uplink and Node of a stored state, as text; absent where they are those of the wanted state, or missing. */
function otherIdentity(stored: UplinkState, wanted: UplinkState): string | undefined {
  const identity = identityOf(wanted);
  if (identity === undefined || belongsTo(stored, identity)) return undefined;
  const { uplink, node } = saidIdentity(stored);
  return [
    ...(uplink === undefined ? [] : [`of Uplink ${JSON.stringify(uplink)}`]),
    ...(node === undefined ? [] : [`on Node ${JSON.stringify(node)}`]),
  ].join(' ');
}

/** A state with the times that its conditions have already; the loop knows those of states that are seen. */
function withFormerTimes(state: UplinkState, stored: JsonObject | undefined): UplinkState {
  const former = (stored as unknown as UplinkState | undefined)?.status?.conditions ?? [];
  const { conditions, ...rest } = state.status ?? {};
  if (conditions === undefined) return state;
  const timed = conditions.map((condition) => {
    const { lastTransitionTime } =
      former.find(({ type, status }) => type === condition.type && status === condition.status) ?? {};
    return { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) };
  });
  return { ...state, status: { ...rest, conditions: timed } };
}
