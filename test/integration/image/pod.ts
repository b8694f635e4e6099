import { loadAll } from 'js-yaml';

/** The fields of a container in a pod that the tests read (Kubernetes API, Container v1 core). */
export interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: Command } };
  readonly securityContext: {
    readonly runAsUser?: number;
    readonly allowPrivilegeEscalation: boolean;
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[]; readonly add?: readonly string[] };
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

/** A command that is run in a container. */
interface Command {
  readonly command: readonly string[];
}

interface Probe {
  readonly exec?: Command;
  readonly httpGet?: { readonly host?: string; readonly path: string; readonly port: number | string };
}

/** The fields of a pod that the tests read (Kubernetes API, PodSpec v1 core). */
export interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext: {
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly seccompProfile: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly hostPath?: { readonly path: string; readonly type?: string };
    readonly configMap?: { readonly name: string };
    readonly emptyDir?: { readonly medium: 'Memory' };
  }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: PodSpec } };
  readonly data?: Readonly<Record<string, string>>;
}

/** A pod as the manifests have it. */
export interface Pod {
  readonly spec: PodSpec;
  /** The files of its ConfigMaps by name. */
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The pods of a kind of workload.
 *
 * @param manifests as kubectl kustomize prints them
 * @param name of the workload; by default the first one
 */
export function podOf(manifests: string, kind: 'DaemonSet' | 'Deployment', name?: string): Pod {
  const objects = loadAll(manifests) as readonly Manifest[];
  const workload = objects.find(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (workload === undefined) throw new Error(`there is no ${kind} ${name ?? ''} in the manifests`);
  const configMaps = objects.filter((object) => object.kind === 'ConfigMap');
  return {
    spec: workload.spec.template.spec,
    configMaps: Object.fromEntries(configMaps.map(({ metadata, data = {} }) => [metadata.name, data])),
  };
}

/** The pod with other capabilities. */
export function withCapabilities({ spec, ...others }: Pod, add: readonly string[]): Pod {
  const [container] = spec.containers;
  const securityContext = { ...container.securityContext, capabilities: { drop: ['ALL'], add } };
  return { ...others, spec: { ...spec, containers: [{ ...container, securityContext }] } };
}

/** The pod with one of its containers or init containers, as if that were its only one. */
export function withContainer({ spec, ...others }: Pod, name: string): Pod {
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find((each) => each.name === name);
  if (container === undefined) throw new Error(`the pod has no container ${name}`);
  return { ...others, spec: { ...spec, containers: [container] } };
}

/** Where a probe asks: an address, a port and a path. */
export function probeTarget(container: Container, probe: Probe, podAddress: string): string {
  if (probe.httpGet === undefined) throw new Error(`container ${container.name} is not asked by HTTP`);
  const { host = podAddress, path, port } = probe.httpGet;
  const number = typeof port === 'number' ? port : container.ports?.find(({ name }) => name === port)?.containerPort;
  if (number === undefined) throw new Error(`container ${container.name} has no port ${port}`);
  return `http://${host.includes(':') ? `[${host}]` : host}:${number}${path}`;
}
