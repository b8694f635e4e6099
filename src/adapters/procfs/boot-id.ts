import { describeValue } from '../../domain/api/conformance.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { expectedFound } from '../json/conforming.ts';

/**
 * Reads /proc/sys/kernel/random/boot_id (random(4)): a UUID in lower case that the kernel generates at boot.
 *
 * @param file named in problems
 */
export function readBootId(text: string, file: string): Reading<string> {
  const bootId = text.trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(bootId)) return { read: true, value: bootId };
  return { read: false, problems: [{ origin: inFile(file), message: expectedFound('a UUID', describeValue(bootId)) }] };
}
