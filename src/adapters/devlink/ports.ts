import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import type { DevlinkPort } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';

/** The address of a function whose driver does not know it (devlink-port(8), function hw_addr). */
const UNKNOWN_MAC_ADDRESS = '00:00:00:00:00:00';

const portSchema = partOf({
  netdev: Type.Optional(Type.String()),
  flavour: Type.Optional(Type.String()),
  function: Type.Optional(partOf({ hw_addr: Type.Optional(Type.String()) })),
});

const output = conforming(partOf({ port: Type.Optional(Type.Record(Type.String(), portSchema)) }));

function portsOf({ netdev, flavour, function: behind }: Shape<typeof portSchema>): readonly DevlinkPort[] {
  if (netdev === undefined || flavour === undefined) return [];
  const address = behind?.hw_addr === UNKNOWN_MAC_ADDRESS ? undefined : behind?.hw_addr;
  return [{ device: netdev, flavour, ...(address === undefined ? {} : { functionMacAddress: address }) }];
}

/**
 * Reads the output of `devlink port show -j` (devlink-port(8)), in the order of the devices' names. A port without a network device or
 * flavour is not a representor and is left out.
 *
 * @param file named in problems
 */
export function readDevlinkPorts(text: string, file: string): Reading<readonly DevlinkPort[]> {
  if (text.trim() === '') return { read: true, value: [] };
  const fields = thenRead(readJson(text, file), (value) => output(value, { file, path: '' }));
  return mapReading(fields, ({ port = {} }) =>
    Object.values(port)
      .flatMap(portsOf)
      .sort(by(({ device }) => device)),
  );
}
