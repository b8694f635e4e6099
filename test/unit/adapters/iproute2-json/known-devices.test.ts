import { expect } from 'chai';
import { IpBatch } from '../../../../src/adapters/iproute2-json/batch.ts';
import type { LongLivedPrograms, ProgramListener, RunningProgram } from '../../../../src/ports/long-lived-programs.ts';

/**
 * A program of ip(8) as far as it knows devices: of each name it takes the number that it learnt last, from a list or by asking the kernel; a
 * `link` command takes the number of its device away, and what it had learnt before comes to light (iproute2, lib/ll_map.c).
 */
class LearningIp implements LongLivedPrograms, RunningProgram {
  /** The devices of the kernel: their numbers by their names. */
  readonly devices = new Map<string, number>();
  readonly #learnt: (readonly [name: string, number: number])[] = [];
  #listener: ProgramListener | undefined;
  #lines = 0;

  start(_program: string, _arguments: readonly string[], listener: ProgramListener): this {
    this.#listener = listener;
    return this;
  }

  write(text: string): void {
    for (const line of text.trim().split('\n')) {
      this.#lines += 1;
      const refusal = this.#refusal(line);
      if (refusal === undefined) continue;
      this.#listener?.onMessage(refusal);
      this.#listener?.onMessage(`Command failed -:${this.#lines}`);
    }
  }

  end(): void {
    this.#listener = undefined;
  }

  #refusal(line: string): string | undefined {
    if (line.startsWith('nexthop get')) return 'RTNETLINK answers: No such file or directory';
    if (line === 'link show') {
      for (const device of this.devices) this.#learn(device);
      this.#listener?.onOutput('[]');
      return undefined;
    }
    const [, name = ''] = / dev (\S+)/.exec(line) ?? [];
    const number = this.#numberOf(name);
    if (![...this.devices.values()].includes(number)) return 'RTNETLINK answers: No such device';
    if (line.startsWith('link ')) this.#forget(number);
    return undefined;
  }

  #numberOf(name: string): number {
    const known = this.#learnt.find(([learnt]) => learnt === name);
    if (known !== undefined) return known[1];
    const number = this.devices.get(name) ?? 0;
    this.#learn([name, number]);
    return number;
  }

  #learn([name, number]: readonly [string, number]): void {
    if (!this.#learnt.some(([, learnt]) => learnt === number)) this.#learnt.unshift([name, number]);
  }

  #forget(number: number): void {
    const index = this.#learnt.findIndex(([, learnt]) => learnt === number);
    if (index >= 0) this.#learnt.splice(index, 1);
  }
}

describe('a long-lived ip', () => {
  const done = { answered: true, lines: [], isComplete: true };
  const sign = ['link', 'set', 'dev', 'blue', 'alias', 'mine'];
  const addAddress = ['address', 'add', '192.0.2.1/32', 'dev', 'blue'];

  it('changes the right device if there was another of its name', async () => {
    const ip = new LearningIp();
    const batch = new IpBatch(ip, [], 1000);
    ip.devices.set('blue', 7);
    await batch.show([['link', 'show']]);
    ip.devices.set('blue', 9);
    await batch.show([['link', 'show']]);
    expect(await batch.change(sign)).to.deep.equal(done);
    expect(await batch.change(addAddress)).to.deep.equal(done);
  });

  it('changes a device that it has just created', async () => {
    const ip = new LearningIp();
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
