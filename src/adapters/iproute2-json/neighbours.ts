import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { Neighbour } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Reader } from '../json/conforming.ts';
import { mapReading } from '../../ports/readings.ts';
import { present } from './fields.ts';
import { tableOf } from './output.ts';
import { protocolWord } from './words.ts';

const entrySchema = partOf({
  dst: Type.String(),
  dev: Type.String(),
  lladdr: Type.Optional(Type.String()),
  state: Type.Optional(Type.Array(Type.String())),
  protocol: Type.Optional(Type.String()),
  // Present if set.
  router: Type.Optional(Type.Unknown()),
  extern_learn: Type.Optional(Type.Unknown()),
  managed: Type.Optional(Type.Unknown()),
});

/** Flags that matter besides the state: entries managed by a program or by the kernel. */
const FLAGS = ['extern_learn', 'managed'] as const;

function neighbourOf(entry: Shape<typeof entrySchema>): Neighbour {
  return {
    device: entry.dev,
    address: entry.dst,
    states: [
      ...(entry.state ?? []).map((state) => state.toLowerCase()),
      ...FLAGS.filter((flag) => entry[flag] !== undefined),
    ],
    ...present({
      macAddress: entry.lladdr,
      protocol: entry.protocol === undefined ? undefined : protocolWord(entry.protocol),
      router: entry.router === undefined ? undefined : (true as const),
    }),
  };
}

const conformingEntry = conforming(entrySchema);

const neighbour: Reader<Neighbour> = (value, place) => mapReading(conformingEntry(value, place), neighbourOf);

/**
 * Reads the output of `ip -json -details neighbour show nud all` (ip-neighbour(8)); without `nud all`, as in earlier captures, entries in state
 * NOARP are missing. Proxy entries always are (neighbour-proxies.ts).
 *
 * @param file named in problems
 */
export const readNeighbours: (text: string, file: string) => Reading<readonly Neighbour[]> = tableOf(neighbour);
