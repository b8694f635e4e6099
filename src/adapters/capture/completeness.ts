import { join } from 'node:path';
import { familyOf } from '../../domain/basics/addresses/ip-address.ts';
import type { Link, Route } from '../../domain/snapshot/node-snapshot.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { CapturedFile } from './layout.ts';

/**
 * The routes of a family, unless the file is truncated: the kernel has a route for every address of a device that is up, so a file without any is
 * incomplete, and would silently lead to wrong decisions.
 *
 * @param links with their addresses
 * @param directory as named in problems
 */
export function completeRoutes(
  routes: readonly Route[],
  family: 4 | 6,
  links: readonly Link[],
  directory: string,
  { file }: CapturedFile,
): Reading<readonly Route[]> {
  const [addressed] = links
    .filter(({ up }) => up)
    .flatMap(({ name, addresses }) =>
      addresses.filter(({ address }) => familyOf(address) === family).map(({ address }) => `${address} on ${name}`),
    );
  if (routes.length > 0 || addressed === undefined) return { read: true, value: routes };
  const message = `has no route, though the node has address ${addressed}, which comes with routes: the file is truncated or half-written; capture the node again`;
  return { read: false, problems: [{ origin: inFile(join(directory, file)), message }] };
}
