import { expect } from 'chai';
import { IpBatch } from '../../../../src/adapters/iproute2-json/batch.ts';
import type { ProgramListener } from '../../../../src/ports/node/long-lived-programs.ts';
import { FakeIp, refuse } from './fake-ip.ts';

/**
 * A fake ip(8) with its cache of devices: it uses the index that it cached last for a name, from a list or from the kernel. A `link`
 * command removes the index of its device from the cache, which uncovers an earlier one (iproute2, lib/ll_map.c).
 */
class CachingIp extends FakeIp {
  /** The devices of the kernel: indexes by name. */
  readonly devices = new Map<string, number>();
  readonly #cache: (readonly [name: string, deviceIndex: number])[] = [];

  override answer = (command: string, line: number, listener: ProgramListener): void => {
    if (command === 'link show') {
      for (const device of this.devices) this.#add(device);
      listener.onOutput('[]');
      return;
    }
    const [, name = ''] = / dev (\S+)/.exec(command) ?? [];
    const deviceIndex = this.#indexOf(name);
    if (![...this.devices.values()].includes(deviceIndex)) refuse(listener, line, 'RTNETLINK answers: No such device');
    else if (command.startsWith('link ')) this.#remove(deviceIndex);
  };

  #indexOf(name: string): number {
    const known = this.#cache.find(([cached]) => cached === name);
    if (known !== undefined) return known[1];
    const deviceIndex = this.devices.get(name) ?? 0;
    this.#add([name, deviceIndex]);
    return deviceIndex;
  }

  #add([name, deviceIndex]: readonly [string, number]): void {
    if (!this.#cache.some(([, cached]) => cached === deviceIndex)) this.#cache.unshift([name, deviceIndex]);
  }

  #remove(deviceIndex: number): void {
    const index = this.#cache.findIndex(([, cached]) => cached === deviceIndex);
    if (index >= 0) this.#cache.splice(index, 1);
  }
}

describe('a long-lived ip', () => {
  const done = { answered: true, lines: [], isComplete: true };
  const sign = ['link', 'set', 'dev', 'blue', 'alias', 'mine'];
  const addAddress = ['address', 'add', '192.0.2.1/32', 'dev', 'blue'];

  it('changes the current device if there was another with its name', async () => {
    const ip = new CachingIp();
    const batch = new IpBatch(ip, [], 1000);
    ip.devices.set('blue', 7);
    await batch.show([['link', 'show']]);
    ip.devices.set('blue', 9);
    await batch.show([['link', 'show']]);
    expect(await batch.change(sign)).to.deep.equal(done);
    expect(await batch.change(addAddress)).to.deep.equal(done);
  });

  it('changes a device that it has just created', async () => {
    const ip = new CachingIp();
    const batch = new IpBatch(ip, [], 1000);
    ip.devices.set('blue', 7).set('lo', 1);
    await batch.show([['link', 'show']]);
    ip.devices.delete('blue');
    await batch.show([['link', 'show']]);
    await batch.change(['link', 'set', 'dev', 'lo', 'up']);
    ip.devices.set('blue', 9);
    expect(await batch.change(sign)).to.deep.equal(done);
    expect(await batch.change(addAddress)).to.deep.equal(done);
  });
});
