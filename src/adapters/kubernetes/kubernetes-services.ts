/**
 * Where the services are reached that every pod needs: DNS and the Kubernetes API.
 */
import { type EndpointSlice, endpointSliceKind } from '../../domain/api/endpoint-slice.ts';
import { type Service, serviceKind } from '../../domain/api/service.ts';
import { SERVICE_NAME_LABEL } from '../../domain/basics/conventions.ts';
import type { ReachableService } from '../../domain/pods/interface-lock.ts';
import { reachableServices } from '../../domain/pods/reachable-services.ts';
import { Changes } from '../../ports/changes.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import { acceptedObject } from './watch/accepted-object.ts';
import type { ApiServer } from './api-server.ts';
import { pathOf } from './paths.ts';
import { WatchedList } from './watch/watched-list.ts';

/** A Service by its name. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** How clients in pods find the API server (Kubernetes documentation, "Accessing the Kubernetes API from a Pod"). */
const API_SERVER: ServiceName = { namespace: 'default', name: 'kubernetes' };

const DNS_PORT = 53;

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

  /** @param only one port of the Service; all if it is absent */
  read(only?: number): Reading<readonly ReachableService[]> {
    const unknown = [this.#service, this.#slices].find(({ isKnown }) => !isKnown);
    if (unknown !== undefined) {
      const object = `Service/${this.#name.namespace}/${this.#name.name}`;
      const message = `is not known yet: ${unknown.failure?.message ?? 'the API server has not answered'}`;
      return { read: false, problems: [{ origin: { kind: 'object', object }, message }] };
    }
    const slices = this.#slices.objects as unknown as readonly EndpointSlice[];
    const services = this.#service.objects as unknown as readonly Service[];
    return { read: true, value: services.flatMap((service) => reachableServices({ service, slices }, only)) };
  }

  get warnings(): readonly InputProblem[] {
    return [...this.#service.warnings, ...this.#slices.warnings];
  }

  async close(): Promise<void> {
    await Promise.all([this.#service.close(), this.#slices.close()]);
  }
}

/** Watches these services on an API server. */
export class KubernetesServices implements ClusterServices {
  readonly #changes = new Changes();
  readonly #apiServer: WatchedService;
  readonly #dns: WatchedService;

  /** @param dns the Service of the cluster’s DNS; where there is none, nothing is reached */
  constructor(server: ApiServer, dns: ServiceName) {
    const changed = (): void => this.#changes.notify();
    this.#apiServer = new WatchedService(server, API_SERVER, changed);
    this.#dns = new WatchedService(server, dns, changed);
  }

  read(): Reading<readonly ReachableService[]> {
    return mapReading(allOf([this.#apiServer.read(), this.#dns.read(DNS_PORT)]), (services) => services.flat());
  }

  get warnings(): readonly InputProblem[] {
    return [...this.#apiServer.warnings, ...this.#dns.warnings];
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Ends the watches. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([this.#apiServer.close(), this.#dns.close()]);
  }
}
