import { subnetMeantBy } from '../../basics/addresses/ip-address.ts';

/** Says that another subnet is used than the given one, which has bits after its prefix; undefined if it has none. */
export function hostBitsSentence(cidr: string): string | undefined {
  const used = subnetMeantBy(cidr);
  return used && `${cidr} has host bits: ${used} is used`;
}
