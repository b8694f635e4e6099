import { byName } from '../../domain/basics/names/ordering.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';

/** Separates name and value; the kernel allows no blanks in a device name. */
const SEPARATOR = ' = ';

function readLine(line: string, number: number, file: string): Reading<readonly (readonly [string, string])[]> {
  if (line.trim() === '') return { read: true, value: [] };
  const end = line.indexOf(SEPARATOR);
  if (end > 0) return { read: true, value: [[line.slice(0, end), line.slice(end + SEPARATOR.length)]] };
  return {
    read: false,
    problems: [
      { origin: inFile(file), message: `line ${number}: expected "name = value", found ${JSON.stringify(line)}` },
    ],
  };
}

/**
 * Reads lines of `sysctl -a` (sysctl(8)), name = value, into settings by the names as printed: `net.ipv4.conf.eth1/100.rp_filter` is
 * the setting of the device `eth1.100`.
 *
 * @param file named in problems
 */
export function readSysctls(text: string, file: string): Reading<Readonly<Record<string, string>>> {
  const lines = text.split('\n').map((line, index) => readLine(line, index + 1, file));
  return mapReading(allOf(lines), (entries) =>
    Object.fromEntries(entries.flat().sort(([left], [right]) => byName(left, right))),
  );
}
