import { expect } from 'chai';
import { packetText } from '../../../../../src/domain/explanation/trace/packet.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';

/** Packets as they are typed, and as they are printed. */
const packets: readonly (readonly [string, string])[] = [
  ['tcp 10.20.1.5:40000 > 198.51.100.10:443', 'tcp 10.20.1.5:40000 > 198.51.100.10:443'],
  ['  udp   10.20.1.5:1 >  198.51.100.10:65535 ', 'udp 10.20.1.5:1 > 198.51.100.10:65535'],
  ['sctp [10.20.1.5]:7 > 198.51.100.10:8', 'sctp 10.20.1.5:7 > 198.51.100.10:8'],
  ['icmp 10.20.1.5 > [198.51.100.10]', 'icmp 10.20.1.5 > 198.51.100.10'],
  ['icmp6 FD20::0:5 > [2001:db8::1]', 'icmp6 fd20::5 > 2001:db8::1'],
  ['tcp [fd20::5]:40000 > [2001:db8::1]:443', 'tcp [fd20::5]:40000 > [2001:db8::1]:443'],
];

/** Texts that are no packets, and what is said. */
const mistakes: readonly (readonly [string, string])[] = [
  ['', 'the protocol is "": expected tcp, udp, sctp, icmp, icmp6'],
  ['http 10.20.1.5:1 > 198.51.100.10:2', 'the protocol is "http": expected tcp, udp, sctp, icmp, icmp6'],
  ['tcp 10.20.1.5:1 198.51.100.10:2', 'expected a protocol, a source, ">" and a destination'],
  ['tcp 10.20.1.5:1 > 198.51.100.10:2 please', 'expected a protocol, a source, ">" and a destination'],
  ['tcp 10.20.1.5 > 198.51.100.10:2', 'expected an address with a port, such as 10.20.1.5:443'],
  ['tcp fd20::5 > [2001:db8::1]:2', 'expected an address with a port, such as [fd20::5]:443'],
  ['tcp 10.20.1.5:0 > 198.51.100.10:2', 'the port of the source is "0": expected a number from 1 to 65535'],
  [
    'tcp 10.20.1.5:1 > 198.51.100.10:65536',
    'the port of the destination is "65536": expected a number from 1 to 65535',
  ],
  ['tcp 10.20.1.5:ssh > 198.51.100.10:2', 'the port of the source is "ssh": expected a number'],
  ['tcp 10.20.1.05:1 > 198.51.100.10:2', 'the source is "10.20.1.05:1": expected an IPv4 or IPv6 address and a port'],
  [
    'tcp 10.20.1.0/24:1 > 198.51.100.10:2',
    'the source is "10.20.1.0/24:1": expected an IPv4 or IPv6 address and a port',
  ],
  ['icmp 10.20.1.5 > pod', 'the destination is "pod": expected an IPv4 or IPv6 address'],
  ['icmp 10.20.1.5:1 > 198.51.100.10', 'expected an address without a port, as ICMP has none'],
  [
    'tcp 10.20.1.5:1 > [fd20::1]:2',
    'the source is an IPv4 address and the destination an IPv6 one: expected two of one family',
  ],
  ['icmp fd20::5 > 2001:db8::1', 'the protocol is icmp: expected icmp6 for IPv6'],
  ['icmp6 10.20.1.5 > 198.51.100.10', 'the protocol is icmp6: expected icmp for IPv4'],
];

describe('a packet as typed', () => {
  for (const [typed, printed] of packets) {
    it(`"${typed}" is ${printed}`, () => {
      const reading = parsePacket(typed);
      expect('packet' in reading && packetText(reading.packet)).to.equal(printed);
    });
  }

  for (const [typed, problem] of mistakes) {
    it(`"${typed}" is invalid: ${problem}`, () => {
      const reading = parsePacket(typed);
      expect('problem' in reading && reading.problem).to.include(problem);
    });
  }
});
