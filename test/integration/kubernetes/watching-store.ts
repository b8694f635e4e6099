import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import type { ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { describeProblem } from '../../../src/ports/input-problem.ts';
import type { Uplink } from '../../../src/domain/index.ts';

/** The Uplink that is always there, and the one whose interface is `br-N` after change N. */
export const [STEADY, COUNTING] = ['steady', 'counting'];

/** A store that is read each time its listener is called, as a loop does. Each reading has to follow from the one before. */
export class WatchingStore {
  readonly store: KubernetesApi;
  /** The problems of each failed reading. */
  readonly problems: string[] = [];
  /** Faults in readings, which those of an API server cannot have. */
  readonly findings: string[] = [];
  warnings: readonly string[] = [];
  /** Uplinks by name, of the last reading. */
  uplinks: ReadonlyMap<string, Uplink> = new Map();
  /** The whole last reading, as text. */
  text = '';
  #count = 0;

  /** @param timeout milliseconds without an answer after which a request counts as failed */
  constructor(access: ClusterAccess, timeout?: number) {
    this.store = new KubernetesApi(new ApiServer(access, timeout), { fieldManager: 'ovn-uplinks-cluster-manager' });
    this.store.onChange(() => void this.#read());
    void this.#read();
  }

  /** The number of the last change that was read. */
  get count(): number {
    return this.#count;
  }

  expectConsistent(): void {
    expect(this.findings).to.deep.equal([]);
  }

  async close(): Promise<void> {
    this.store.onChange(() => undefined);
    await this.store.close();
  }

  async #read(): Promise<void> {
    const reading = await this.store.read();
    if (!reading.read) {
      this.problems.push(reading.problems.map(describeProblem).join('\n'));
      return;
    }
    const { snapshot, warnings } = reading.value;
    this.warnings = warnings.map(describeProblem);
    this.uplinks = new Map(snapshot.uplinks.map((uplink) => [uplink.metadata.name, uplink]));
    this.text = JSON.stringify(
      Object.entries(snapshot)
        .map(([kind, objects]) => [kind, (objects as readonly object[]).map((object) => JSON.stringify(object)).sort()])
        .sort(),
    );
    if (this.uplinks.size !== snapshot.uplinks.length) this.findings.push('an object is there twice');
    if (!this.uplinks.has(STEADY)) this.findings.push('the object that is always there is missing');
    const count = Number(this.uplinks.get(COUNTING)?.spec.nodeConfigs[0]?.hostInterfaceName.slice('br-'.length) ?? 0);
    if (count < this.#count) this.findings.push(`change ${count} is read after ${this.#count}`);
    // Each change deletes the object of the one before.
    for (const name of this.uplinks.keys()) {
      const number = /^number-(\d+)$/.exec(name)?.[1];
      if (number !== undefined && Number(number) < count - 1)
        this.findings.push(`${name} is back after change ${count}`);
    }
    this.#count = count;
  }
}
