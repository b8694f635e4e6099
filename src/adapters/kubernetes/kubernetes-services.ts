/**
 * Services that pods reach by the default network: DNS, the Kubernetes API, and those that the administrator allows.
 */
import { type EndpointSlice, endpointSliceKind } from '../../domain/api/endpoint-slice.ts';
import { type Service, serviceKind } from '../../domain/api/service.ts';
import { SERVICE_NAME_LABEL } from '../../domain/basics/conventions.ts';
import {
  type DefaultServices,
  type DefaultServiceSettings,
  defaultServicesOf,
  type FoundService,
  namesOfDefaultServices,
} from '../../domain/pods/default-services.ts';
import { type ServiceName, textOfService } from '../../domain/snapshot/settings.ts';
import { Changes } from '../../ports/changes.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import { acceptedObject } from './watch/accepted-object.ts';
import type { ApiServer } from './api-server.ts';
import { pathOf } from './paths.ts';
import { WatchedList } from './watch/watched-list.ts';

const originOf = (service: string) => ({ kind: 'object', object: `Service/${service}` }) as const;

/** A Service with its EndpointSlices. */
class WatchedService {
  readonly #service: WatchedList;
  readonly #slices: WatchedList;
  readonly #name: ServiceName;

  constructor(server: ApiServer, { namespace, name }: ServiceName, onChange: () => void) {
    this.#name = { namespace, name };
    this.#service = new WatchedList(server, {
      path: pathOf(serviceKind, namespace),
      selectors: { fieldSelector: `metadata.name=${name}` },
      accept: acceptedObject(serviceKind),
      onChange,
    });
    this.#slices = new WatchedList(server, {
      path: pathOf(endpointSliceKind, namespace),
      selectors: { labelSelector: `${SERVICE_NAME_LABEL}=${name}` },
      accept: acceptedObject(endpointSliceKind),
      onChange,
    });
  }

  /** The Service; problems as long as it is not known whether there is one. */
  read(): Reading<FoundService> {
    const unknown = [this.#service, this.#slices].find(({ isKnown }) => !isKnown);
    if (unknown !== undefined) {
      const message = `is not known yet: ${unknown.failure?.message ?? 'the API server has not answered'}`;
      return { read: false, problems: [{ origin: originOf(textOfService(this.#name)), message }] };
    }
    const slices = this.#slices.objects as unknown as readonly EndpointSlice[];
    const [service] = this.#service.objects as unknown as readonly Service[];
    if (service !== undefined) return { read: true, value: { service, slices } };
    return { read: true, value: this.#service.unreadable.length > 0 ? 'unreadable' : undefined };
  }

  get warnings(): readonly InputProblem[] {
    return [...this.#service.warnings, ...this.#slices.warnings];
  }

  async close(): Promise<void> {
    await Promise.all([this.#service.close(), this.#slices.close()]);
  }
}

/** Watches these Services on an API server. */
export class KubernetesServices implements ClusterServices {
  readonly #changes = new Changes();
  readonly #settings: DefaultServiceSettings;
  readonly #watched: ReadonlyMap<string, WatchedService>;

  constructor(server: ApiServer, settings: DefaultServiceSettings) {
    const changed = (): void => this.#changes.notify();
    this.#settings = settings;
    this.#watched = new Map(
      namesOfDefaultServices(settings).map((name) => [textOfService(name), new WatchedService(server, name, changed)]),
    );
  }

  read(): Reading<DefaultServices> {
    const found = [...this.#watched].map(([name, service]) =>
      mapReading(service.read(), (value) => [name, value] as const),
    );
    return mapReading(allOf(found), (services) => {
      const byName = new Map(services);
      return defaultServicesOf((name) => byName.get(textOfService(name)), this.#settings);
    });
  }

  get warnings(): readonly InputProblem[] {
    const reading = this.read();
    const unreached = reading.read ? reading.value.unreached : [];
    return [
      ...[...this.#watched.values()].flatMap(({ warnings }) => warnings),
      ...unreached.map(({ service, why }) => ({
        origin: originOf(service),
        message: `pods of networks do not reach it (--default-services): ${why}`,
      })),
    ];
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Ends the watches. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((service) => service.close()));
  }
}
