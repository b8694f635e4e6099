import { expect } from 'chai';
import { readNextHopObjects } from '../../../../src/adapters/iproute2-json/next-hop-objects.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

/** As iproute2 6.1 printed them on Linux 6.18. */
const printed =
  '[{"id":1,"gateway":"192.0.2.9","dev":"a#b","scope":"link","protocol":"unspec","flags":[]},' +
  '{"id":2,"gateway":"192.0.2.8","dev":"a#b","scope":"link","protocol":"unspec","flags":[]},' +
  '{"id":3,"group":[{"id":1,"weight":3},{"id":2}],"scope":"global","protocol":"unspec","flags":[]},' +
  '{"id":4,"scope":"global","blackhole":null,"protocol":"unspec","flags":[]},' +
  '{"id":7,"dev":"a#b","scope":"host","protocol":"unspec","flags":[]}]';

describe('next hop objects of `ip -json -details nexthop show`', () => {
  it('are none on the captured node', () => {
    expect(valueOf(readNextHopObjects(capturedText('worker-a', 'ip-nexthop.json'), 'ip-nexthop.json')).size).to.equal(
      0,
    );
  });

  it('stand for a gateway, for a device alone, for the members of a group, or for nothing at all', () => {
    expect([...valueOf(readNextHopObjects(printed, 'ip-nexthop.json'))]).to.deep.equal([
      [1, [{ dev: 'a#b', gateway: '192.0.2.9' }]],
      [2, [{ dev: 'a#b', gateway: '192.0.2.8' }]],
      [
        3,
        [
          { dev: 'a#b', gateway: '192.0.2.9' },
          { dev: 'a#b', gateway: '192.0.2.8' },
        ],
      ],
      [4, []],
      [7, [{ dev: 'a#b' }]],
    ]);
  });

  it('leave out members of a group that are gone', () => {
    expect(valueOf(readNextHopObjects('[{"id":3,"group":[{"id":1}]}]', 'ip-nexthop.json')).get(3)).to.deep.equal([]);
  });

  it('are none in an empty file', () => {
    expect(valueOf(readNextHopObjects('', 'ip-nexthop.json')).size).to.equal(0);
  });

  it('are refused with ids or groups of the wrong type', () => {
    expect(
      problemLines(readNextHopObjects('[{"id":"1"},{"id":2,"group":[7,{"id":"3"}]}]', 'ip-nexthop.json')),
    ).to.deep.equal([
      'ip-nexthop.json: [0].id: expected a whole number, found string "1"',
      'ip-nexthop.json: [1].group[0]: expected an object, found number 7',
      'ip-nexthop.json: [1].group[1].id: expected a whole number, found string "3"',
    ]);
  });
});
