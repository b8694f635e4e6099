import { expect } from 'chai';
import { readLinks } from '../../../../src/adapters/iproute2-json/links.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

const loopback = {
  ifindex: 1,
  ifname: 'lo',
  flags: ['LOOPBACK', 'UP', 'LOWER_UP'],
  mtu: 65536,
  operstate: 'UNKNOWN',
  link_type: 'loopback',
};

function read(...entries: readonly unknown[]) {
  return readLinks(JSON.stringify(entries), 'ip-link.json');
}

describe('links of `ip -json -details link show`', () => {
  it('are those of the captured node', () => {
    const links = valueOf(readLinks(capturedText('worker-a', 'ip-link.json'), 'ip-link.json'));
    expect(links).to.have.length(32);
    expect(links.find(({ name }) => name === 'br-blue')).to.deep.equal({
      index: 11,
      name: 'br-blue',
      kind: 'tun',
      up: true,
      operationalState: 'unknown',
      mtu: 1500,
      type: 'ether',
      macAddress: '02:42:c0:00:02:06',
      addressGeneration: 'eui64',
    });
    expect(links.find(({ name }) => name === 'br-off')).to.include({ up: false, operationalState: 'down' });
    expect(links.find(({ name }) => name === 'red0')).to.include({ mtu: 9000 });
    expect(links.find(({ name }) => name === 'bond0')).to.include({ kind: 'bond' });
    expect(links.filter(({ master }) => master === 'bond0').map(({ name }) => name)).to.deep.equal(['eth3', 'eth4']);
  });

  it('have a table if they are VRFs, and masters if they are enslaved', () => {
    const links = valueOf(readLinks(capturedText('worker-a-blue-enslaved', 'ip-link.json'), 'ip-link.json'));
    expect(links.filter(({ vrfTable }) => vrfTable !== undefined)).to.deep.equal([
      {
        index: 33,
        name: 'blue',
        kind: 'vrf',
        up: true,
        operationalState: 'up',
        mtu: 65575,
        type: 'ether',
        macAddress: 'de:a0:cc:01:66:df',
        vrfTable: 1007,
      },
    ]);
    expect(links.filter(({ master }) => master === 'blue').map(({ name }) => name)).to.deep.equal([
      'ovn-k8s-mp1',
      'br-blue',
    ]);
  });

  // As iproute2 6.1 printed them on Linux 6.1, shortened.
  const stacks: readonly (readonly [what: string, printed: object, lowerDevice: string | undefined])[] = [
    ['a VLAN device', { link: 'eth0', linkinfo: { info_kind: 'vlan' } }, 'eth0'],
    ['a macvlan device', { link: 'eth0', linkinfo: { info_kind: 'macvlan' } }, 'eth0'],
    ['an ipvlan device', { link: 'eth1', linkinfo: { info_kind: 'ipvlan' } }, 'eth1'],
    ['a macsec device', { link: 'eth2', linkinfo: { info_kind: 'macsec' } }, 'eth2'],
    ['a tunnel with a device', { link: 'eth1', linkinfo: { info_kind: 'gre' } }, 'eth1'],
    ['a tunnel without a device', { link: null, linkinfo: { info_kind: 'gre' } }, undefined],
    ['a device without kind on another one', { link: 'eth0' }, 'eth0'],
    ['a veth device, whose link is its peer', { link: 'v1', linkinfo: { info_kind: 'veth' } }, undefined],
    [
      'a VLAN device on a device of another namespace',
      { link_index: 18, link_netnsid: 0, linkinfo: { info_kind: 'vlan' } },
      undefined,
    ],
    ['a device on its own', { linkinfo: { info_kind: 'dummy' } }, undefined],
  ];
  for (const [what, printed, lowerDevice] of stacks) {
    it(`have ${lowerDevice === undefined ? 'no' : 'a'} lower device if they are ${what}`, () => {
      const [link] = valueOf(read({ ...loopback, ...printed }));
      expect(link).to.be.an('object');
      expect(link?.lowerDevice).to.equal(lowerDevice);
      expect(Object.keys(link ?? {}).includes('lowerDevice')).to.equal(lowerDevice !== undefined);
    });
  }

  const vlanDetails = { protocol: '802.1Q', id: 5 };
  for (const [what, printed, looseBinding] of [
    ['has loose binding', { info_data: { ...vlanDetails, flags: ['REORDER_HDR', 'LOOSE_BINDING'] } }, true],
    ['has no loose binding', { info_data: { ...vlanDetails, flags: ['REORDER_HDR'] } }, undefined],
    ['has no flags', { info_data: vlanDetails }, undefined],
    ['has no details', {}, undefined],
  ] as const) {
    it(`have the loose binding of a VLAN device that ${what}`, () => {
      const [link] = valueOf(read({ ...loopback, link: 'eth0', linkinfo: { info_kind: 'vlan', ...printed } }));
      expect(link?.looseBinding).to.equal(looseBinding);
      expect(Object.keys(link ?? {}).includes('looseBinding')).to.equal(looseBinding !== undefined);
    });
  }

  it('have loose binding only if they are VLAN devices', () => {
    const linkinfo = { info_kind: 'macsec', info_data: { flags: ['LOOSE_BINDING'] } };
    expect(valueOf(read({ ...loopback, link: 'eth0', linkinfo }))[0]).not.to.have.property('looseBinding');
  });

  for (const mode of ['none', 'eui64', 'stable_secret', 'random']) {
    it(`have the mode of link-local address generation: ${mode}`, () => {
      expect(valueOf(read({ ...loopback, inet6_addr_gen_mode: mode }))[0]?.addressGeneration).to.equal(mode);
    });
  }

  it('have alternative names', () => {
    const [named, plain] = valueOf(read({ ...loopback, altnames: ['blue', 'a-rather-long-name'] }, loopback));
    expect(named?.alternativeNames).to.deep.equal(['blue', 'a-rather-long-name']);
    expect(plain).not.to.have.any.keys('alternativeNames', 'addressGeneration');
  });

  // As printed by iproute2 6.1, with escapes and raw bytes.
  const names = ['a#b', "a'b", '-force', 'été', 'q"x', 'b\\c', 'c\u0001d'];
  for (const name of names) {
    it(`may have the name ${JSON.stringify(name)}`, () => {
      const printed = `[{"ifindex":2,"ifname":"${name.replaceAll(/["\\]/g, '\\$&')}","flags":[],"mtu":1500,"link_type":"ether"}]`;
      expect(valueOf(readLinks(printed, 'ip-link.json'))[0]?.name).to.equal(name);
    });
  }

  it('have a group, unless it is the default one', () => {
    const groupOf = (group: string) => valueOf(read({ ...loopback, group }))[0]?.group;
    expect(['default', '0', '7', 'uplinks'].map(groupOf)).to.deep.equal([undefined, undefined, '7', 'uplinks']);
  });

  it('have an alias', () => {
    expect(valueOf(read({ ...loopback, ifalias: 'Bob\'s "uplink" \\ back\nnewline\ttab' }))[0]?.alias).to.equal(
      'Bob\'s "uplink" \\ back\nnewline\ttab',
    );
  });

  it('may have unknown kinds, flags and fields', () => {
    const entry = {
      ...loopback,
      flags: ['WARP'],
      warp: 9,
      linkinfo: { info_kind: 'warp', info_data: { table: 'dinner' } },
    };
    expect(valueOf(read(entry))[0]).to.deep.include({ kind: 'warp', up: false });
  });

  it('have an unknown state if ip prints none', () => {
    expect(valueOf(read({ ...loopback, operstate: undefined }))[0]?.operationalState).to.equal('unknown');
  });

  it('are empty for an empty file and for empty objects, which ip prints for filtered entries', () => {
    expect(valueOf(readLinks('', 'ip-link.json'))).to.deep.equal([]);
    expect(valueOf(readLinks(' \n', 'ip-link.json'))).to.deep.equal([]);
    expect(valueOf(readLinks('[{},{}]', 'ip-link.json'))).to.deep.equal([]);
    expect(valueOf(read({}, loopback, {})).map(({ name }) => name)).to.deep.equal(['lo']);
  });

  const vrf = { ...loopback, linkinfo: { info_kind: 'vrf', info_data: { table: 1007 } } };
  const problems: readonly (readonly [what: string, entries: readonly unknown[], line: string])[] = [
    [
      'an MTU in quotes',
      [loopback, {}, loopback, { ...loopback, mtu: 'x' }],
      '[3].mtu: expected a whole number, found string "x"',
    ],
    ['a missing name', [{ ...loopback, ifname: undefined }], '[0].ifname: expected a value, found nothing'],
    [
      'an index that is not a whole number',
      [{ ...loopback, ifindex: 1.5 }],
      '[0].ifindex: expected a whole number, found number 1.5',
    ],
    ['flags that are not a list', [{ ...loopback, flags: 'UP' }], '[0].flags: expected a list, found string "UP"'],
    [
      'a flag that is not a string',
      [{ ...loopback, flags: ['UP', 7] }],
      '[0].flags[1]: expected a string, found number 7',
    ],
    ['a master that is not a string', [{ ...loopback, master: 3 }], '[0].master: expected a string, found number 3'],
    [
      'link details that are not an object',
      [{ ...loopback, linkinfo: [] }],
      '[0].linkinfo: expected an object, found a list of 0 items',
    ],
    [
      'a VRF table that is not a number',
      [{ ...vrf, linkinfo: { ...vrf.linkinfo, info_data: { table: 'blue' } } }],
      '[0].linkinfo.info_data.table: expected a whole number, found string "blue"',
    ],
    [
      'a VRF without details',
      [{ ...vrf, linkinfo: { info_kind: 'vrf' } }],
      '[0].linkinfo.info_data: expected a value, found nothing',
    ],
    [
      'a kind that is not a string',
      [{ ...loopback, linkinfo: { info_kind: 7 } }],
      '[0].linkinfo.info_kind: expected a string, found number 7',
    ],
    [
      'a lower device that is not a string',
      [{ ...loopback, link: 3, linkinfo: { info_kind: 'vlan' } }],
      '[0].link: expected a string, found number 3',
    ],
    [
      'an invalid alternative name',
      [{ ...loopback, altnames: [3] }],
      '[0].altnames[0]: expected a string, found number 3',
    ],
    [
      'flags of a VLAN device that are not a list',
      [{ ...loopback, linkinfo: { info_kind: 'vlan', info_data: { flags: 1 } } }],
      '[0].linkinfo.info_data.flags: expected a list, found number 1',
    ],
    ['an entry that is not an object', [7], '[0]: expected an object, found number 7'],
    ['a null entry', [null], '[0]: expected an object, found null'],
  ];
  for (const [what, entries, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(read(...entries))).to.deep.equal([`ip-link.json: ${line}`]);
    });
  }

  it('are invalid if the file contains no list', () => {
    expect(readLinks('{}', 'ip-link.json')).to.deep.equal({
      read: false,
      problems: [{ origin: inFile('ip-link.json'), message: 'expected a list, found an object' }],
    });
  });

  it('are invalid if the file is truncated', () => {
    const whole = capturedText('worker-a', 'ip-link.json');
    expect(problemLines(readLinks(whole.slice(0, 5000), 'ip-link.json'))).to.deep.equal([
      'ip-link.json: ends at line 1, column 5001, where the rest of a value was expected: it is truncated or half-written',
    ]);
  });

  it('are reported with all problems', () => {
    expect(problemLines(read({ ...loopback, mtu: null }, { ...loopback, ifname: 5, link_type: 6 }))).to.have.members([
      'ip-link.json: [0].mtu: expected a whole number, found null',
      'ip-link.json: [1].ifname: expected a string, found number 5',
      'ip-link.json: [1].link_type: expected a string, found number 6',
    ]);
  });
});
