import { expect } from 'chai';
import { hopsOfObjects, readNextHopObjects } from '../../../../src/adapters/iproute2-json/next-hop-objects.ts';
import type { NextHop, NextHopObject } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

function read(...printed: readonly string[]) {
  return readNextHopObjects(`[${printed.join(',')}]`, 'ip-nexthop.json');
}

/** The output of iproute2 6.1 on Linux 6.1 after each command, the object, and its next hops for a route. */
const examples: readonly (readonly [
  command: string,
  printed: string,
  object: NextHopObject,
  hops: readonly NextHop[],
])[] = [
  [
    'id 1 via 192.0.2.1 dev a#b',
    '{"id":1,"gateway":"192.0.2.1","dev":"a#b","scope":"link","protocol":"unspec","flags":[]}',
    { id: 1, protocol: 'unspec', family: 4, device: 'a#b', gateway: '192.0.2.1' },
    [{ device: 'a#b', gateway: '192.0.2.1' }],
  ],
  [
    'id 2 dev eth0',
    '{"id":2,"dev":"eth0","scope":"host","protocol":"unspec","flags":[]}',
    { id: 2, protocol: 'unspec', family: 4, device: 'eth0' },
    [{ device: 'eth0' }],
  ],
  [
    'id 3 blackhole',
    '{"id":3,"scope":"global","blackhole":null,"protocol":"unspec","flags":[]}',
    { id: 3, protocol: 'unspec', blackhole: true },
    [],
  ],
  [
    'id 4 via 2001:db8::1 dev eth0 proto 94',
    '{"id":4,"gateway":"2001:db8::1","dev":"eth0","scope":"link","protocol":"94","flags":[]}',
    { id: 4, protocol: '94', family: 6, device: 'eth0', gateway: '2001:db8::1' },
    [{ device: 'eth0', gateway: '2001:db8::1' }],
  ],
  [
    'id 5 dev eth0, of IPv6',
    '{"id":5,"dev":"eth0","scope":"link","protocol":"unspec","flags":[]}',
    { id: 5, protocol: 'unspec', family: 6, device: 'eth0' },
    [{ device: 'eth0' }],
  ],
  [
    'id 7 via 203.0.113.9 dev eth2 onlink',
    '{"id":7,"gateway":"203.0.113.9","dev":"eth2","scope":"link","protocol":"unspec","flags":["onlink"]}',
    { id: 7, protocol: 'unspec', family: 4, device: 'eth2', gateway: '203.0.113.9', onlink: true },
    [{ device: 'eth2', gateway: '203.0.113.9', onlink: true }],
  ],
  [
    'id 9 encap ip id 7 dst 10.0.0.9 via 192.0.2.10 dev eth0',
    '{"id":9,"encap":"ip","id":7,"src":"0.0.0.0","dst":"10.0.0.9","ttl":0,"tos":0,"gateway":"192.0.2.10","dev":"eth0","scope":"link","protocol":"unspec","flags":[]}',
    {
      id: 9,
      protocol: 'unspec',
      family: 4,
      device: 'eth0',
      gateway: '192.0.2.10',
      unknownAttributes: ['dst', 'encap', 'encap.id', 'src', 'tos', 'ttl'],
    },
    [{ device: 'eth0', gateway: '192.0.2.10' }],
  ],
  [
    'id 10 via 192.0.2.11 fdb',
    '{"id":10,"gateway":"192.0.2.11","scope":"link","protocol":"unspec","flags":[],"fdb":null}',
    { id: 10, protocol: 'unspec', family: 4, gateway: '192.0.2.11', unknownAttributes: ['fdb'] },
    [{ gateway: '192.0.2.11' }],
  ],
  [
    'id 101 group 1,3/7',
    '{"id":101,"group":[{"id":1,"weight":3},{"id":7}],"scope":"global","protocol":"unspec","flags":[]}',
    {
      id: 101,
      protocol: 'unspec',
      group: [
        { id: 1, weight: 3 },
        { id: 7, weight: 1 },
      ],
    },
    [
      { device: 'a#b', gateway: '192.0.2.1', weight: 3 },
      { device: 'eth2', gateway: '203.0.113.9', onlink: true },
    ],
  ],
  [
    'id 103 group 1 type resilient buckets 8 idle_timer 30',
    '{"id":103,"group":[{"id":1}],"type":"resilient","resilient_args":{"buckets":8,"idle_timer":30,"unbalanced_timer":0,"unbalanced_time":0},"scope":"global","protocol":"unspec","flags":[]}',
    {
      id: 103,
      protocol: 'unspec',
      group: [{ id: 1, weight: 1 }],
      unknownAttributes: ['resilient_args', 'type'],
    },
    [{ device: 'a#b', gateway: '192.0.2.1' }],
  ],
  [
    'id 104 group 3, a blackhole',
    '{"id":104,"group":[{"id":3}],"scope":"global","protocol":"unspec","flags":[]}',
    { id: 104, protocol: 'unspec', group: [{ id: 3, weight: 1 }] },
    [],
  ],
];

describe('next hop objects of `ip -json -details nexthop show`', () => {
  it('are empty for the captured node and for an empty file', () => {
    expect(valueOf(readNextHopObjects(capturedText('worker-a', 'ip-nexthop.json'), 'ip-nexthop.json'))).to.deep.equal(
      [],
    );
    expect(valueOf(readNextHopObjects('', 'ip-nexthop.json'))).to.deep.equal([]);
  });

  const objects = valueOf(read(...examples.map(([, printed]) => printed)));
  const hopsOf = hopsOfObjects(objects);
  for (const [position, [command, , object, hops]] of examples.entries()) {
    it(`are read from the output of: ${command}`, () => {
      expect(objects[position]).to.deep.equal(object);
    });

    it(`have the right next hops: ${command}`, () => {
      expect(hopsOf.get(object.id)).to.deep.equal(hops);
    });
  }

  it('have an unknown family without gateway and scope', () => {
    expect(valueOf(read('{"id":1,"dev":"eth0"}'))).to.deep.equal([{ id: 1, protocol: 'unspec', device: 'eth0' }]);
  });

  it('include unknown flags, but not the state of a next hop', () => {
    const [object] = valueOf(read('{"id":1,"dev":"eth0","flags":["dead","linkdown","warped"]}'));
    expect(object?.unknownAttributes).to.deep.equal(['flags.warped']);
  });

  it('may be removed members of a group, which are ignored', () => {
    expect(hopsOfObjects(valueOf(read('{"id":3,"group":[{"id":1}]}'))).get(3)).to.deep.equal([]);
  });

  it('are invalid with ids, groups or gateways of the wrong type', () => {
    expect(
      problemLines(read('{"id":"1"}', '{"id":2,"group":[7,{"id":"3"}]}', '{"id":3,"gateway":4,"flags":"onlink"}')),
    ).to.deep.equal([
      'ip-nexthop.json: [0].id: expected a whole number, found string "1"',
      'ip-nexthop.json: [1].group[0]: expected an object, found number 7',
      'ip-nexthop.json: [1].group[1].id: expected a whole number, found string "3"',
      'ip-nexthop.json: [2].gateway: expected a string, found number 4',
      'ip-nexthop.json: [2].flags: expected a list, found string "onlink"',
    ]);
  });
});
