/**
 * The Services that ovn-uplinks serves, by their label, which Kubernetes copies to their EndpointSlices: agents watch no others.
 */
import { type EndpointSlice, endpointSliceKind } from '../../domain/api/endpoint-slice.ts';
import type { Kind } from '../../domain/api/kind.ts';
import { type Service, serviceKind } from '../../domain/api/service.ts';
import { SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../../domain/basics/conventions.ts';
import type { ServedObjects } from '../../domain/services/services-on-node.ts';
import { Changes } from '../../ports/changes.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import type { ApiServer } from './api-server.ts';
import { pathOf } from './paths.ts';
import { acceptedObject } from './watch/accepted-object.ts';
import { WatchedList } from './watch/watched-list.ts';

const SELECTOR = `${SERVICE_PROXY_LABEL}=${SERVICE_PROXY}`;

/** Watches them on an API server. */
export class KubernetesServedObjects implements ServedObjectsSource {
  readonly #changes = new Changes();
  readonly #services: WatchedList;
  readonly #slices: WatchedList;

  constructor(server: ApiServer) {
    const watched = (kind: Kind) =>
      new WatchedList(server, {
        path: pathOf(kind, undefined),
        selectors: { labelSelector: SELECTOR },
        accept: acceptedObject(kind),
        onChange: () => this.#changes.notify(),
      });
    [this.#services, this.#slices] = [watched(serviceKind), watched(endpointSliceKind)];
  }

  read(): Reading<ServedObjects> {
    const unknown = [
      { object: 'Services', list: this.#services },
      { object: 'EndpointSlices', list: this.#slices },
    ].find(({ list }) => !list.isKnown);
    if (unknown !== undefined) {
      const why = unknown.list.failure?.message ?? 'the API server has not answered';
      const message = `with label ${SELECTOR} are not known yet: ${why}`;
      return { read: false, problems: [{ origin: { kind: 'object', object: unknown.object }, message }] };
    }
    return {
      read: true,
      value: {
        services: this.#services.objects as unknown as readonly Service[],
        slices: this.#slices.objects as unknown as readonly EndpointSlice[],
        unreadable: { services: this.#services.unreadable, slices: this.#slices.unreadable },
      },
    };
  }

  get warnings(): readonly InputProblem[] {
    return [...this.#services.warnings, ...this.#slices.warnings];
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Ends the watches. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([this.#services.close(), this.#slices.close()]);
  }
}
