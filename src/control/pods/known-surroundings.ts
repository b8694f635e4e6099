import type { PodSurroundings } from '../../domain/pods/default-services.ts';
import { nodeAddresses } from '../../domain/pods/node-addresses.ts';
import { Changes } from '../../ports/changes.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { HostSnapshot } from '../../ports/node/host-network.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LockSurroundingsSource } from '../../ports/node/lock-surroundings.ts';
import { mapReading } from '../../ports/readings.ts';

/** Destinations that pods may reach by the default network, from the services of the cluster and the network of the node as it was read last. */
export class KnownSurroundings implements LockSurroundingsSource {
  readonly #services: ClusterServices;
  readonly #changes = new Changes();
  #addresses: readonly string[] | undefined;
  #last: PodSurroundings | undefined;

  constructor(services: ClusterServices) {
    this.#services = services;
    services.onChange(() => {
      this.#changes.notify();
    });
  }

  /** Takes the network of the node. */
  update({ links }: Pick<HostSnapshot, 'links'>): void {
    const addresses = nodeAddresses(links);
    if (addresses.join() === this.#addresses?.join()) return;
    this.#addresses = addresses;
    this.#changes.notify();
  }

  read(): Reading<PodSurroundings> {
    const addresses = this.#addresses;
    if (addresses === undefined) {
      const message = 'the addresses of this node are not known yet';
      return { read: false, problems: [{ origin: { kind: 'object', object: 'pods' }, message }] };
    }
    return mapReading(this.#services.read(), ({ services, addresses: reached, missing }) =>
      this.#same({ nodeAddresses: addresses, services, addresses: reached, missing }),
    );
  }

  /** Equal surroundings are the same object. */
  #same(surroundings: PodSurroundings): PodSurroundings {
    if (JSON.stringify(surroundings) !== JSON.stringify(this.#last)) this.#last = surroundings;
    return this.#last ?? surroundings;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }
}
