import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import type { NeighbourProxy } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Reader } from '../json/conforming.ts';
import { mapReading } from '../../ports/readings.ts';
import { present } from './fields.ts';
import { tableOf } from './output.ts';
import { protocolWord } from './words.ts';

const conformingEntry = conforming(
  partOf({
    dst: Type.String(),
    dev: Type.Optional(Type.String()),
    protocol: Type.Optional(Type.String()),
    // Present if set.
    router: Type.Optional(Type.Unknown()),
  }),
);

/** Entries without device, which apply to all devices and ip never adds, are left out. */
const proxies: Reader<readonly NeighbourProxy[]> = (value, place) =>
  mapReading(conformingEntry(value, place), ({ dst, dev, protocol, router }) =>
    dev === undefined
      ? []
      : [
          {
            device: dev,
            address: dst,
            ...present({
              protocol: protocol === undefined ? undefined : protocolWord(protocol),
              router: router === undefined ? undefined : (true as const),
            }),
          },
        ],
  );

const table = tableOf(proxies);

/**
 * Reads the output of `ip -json -details neighbour show proxy` (ip-neighbour(8)).
 *
 * @param file named in problems
 */
export function readNeighbourProxies(text: string, file: string): Reading<readonly NeighbourProxy[]> {
  return mapReading(table(text, file), (entries) => entries.flat());
}
