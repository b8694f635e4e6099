import type { ImageConfiguration } from './unpacked-image.ts';
import type { Pod } from './pod.ts';
import { runtimeDefaultSeccomp } from './seccomp.ts';

/** Where a pod runs. */
export interface PodPlace {
  /** Folder with the files of the image, whose mount points can be made. */
  readonly rootfs: string;
  /** Folder with the files of its ConfigMaps: a folder for each. */
  readonly configMaps: string;
  readonly nodeName: string;
  /** Of the node; needed where a container asks for it. */
  readonly nodeAddress?: string;
  /** The cluster access of a pod with a service account. */
  readonly cluster?: {
    /** Folder with the files of its service account. */
    readonly serviceAccount: string;
    readonly apiServer: { readonly address: string; readonly port: number };
  };
}

/** Where the kubelet puts the files of a service account in a container. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

interface Mount {
  readonly destination: string;
  readonly type?: string;
  readonly source: string;
  readonly options: readonly string[];
}

/** Mounts of every container (containerd, pkg/cri/opts; of a pod with its own network or that of the host). */
const ownMounts: readonly Mount[] = [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
  {
    destination: '/dev',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
  },
  {
    destination: '/dev/pts',
    type: 'devpts',
    source: 'devpts',
    options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'],
  },
  {
    destination: '/dev/shm',
    type: 'tmpfs',
    source: 'shm',
    options: ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=65536k'],
  },
  // A sysfs of its own needs a network of its own.
  { destination: '/sys', type: 'none', source: '/sys', options: ['rbind', 'nosuid', 'noexec', 'nodev', 'ro'] },
];

/** The paths of /proc and /sys that a container does not see, and those that it cannot write to (containerd, oci.WithDefaultPathMasks). */
const maskedPaths = ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/scsi', '/sys/firmware'];
const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/**
 * How a runtime is to run the container of a pod, as the kubelet and containerd ask it to (OCI Runtime Specification). It runs in the network namespace
 * that the runtime is started in.
 */
export function runtimeConfiguration({ spec }: Pod, { config }: ImageConfiguration, place: PodPlace): object {
  const [container] = spec.containers;
  const { runAsUser: podUser, runAsGroup: podGroup, seccompProfile } = spec.securityContext;
  const { runAsUser, allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext;
  if (capabilities.drop.join() !== 'ALL') throw new Error('the capabilities of an engine are not dropped');
  if (seccompProfile.type !== 'RuntimeDefault') throw new Error(`seccomp profile ${seccompProfile.type} is not known`);
  const [imageUser = '0', imageGroup = '0'] = config.User.split(':');
  const added = (capabilities.add ?? []).map((name) => `CAP_${name}`);
  const environment = environmentOf(container.env ?? [], place);
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: {
        uid: runAsUser ?? podUser ?? Number(imageUser),
        gid: podGroup ?? ((runAsUser ?? podUser) === 0 ? 0 : Number(imageGroup)),
      },
      args: container.command.map((word) =>
        word.replaceAll(/\$\((\w+)\)/g, (_, name: string) => environment[name] ?? ''),
      ),
      env: [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: { bounding: added, effective: added, permitted: added },
      noNewPrivileges: !allowPrivilegeEscalation,
    },
    root: { path: place.rootfs, readonly: readOnlyRootFilesystem },
    mounts: [...ownMounts, ...volumeMounts(spec, place)],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      maskedPaths,
      readonlyPaths,
      seccomp: runtimeDefaultSeccomp(added),
    },
  };
}

function environmentOf(
  variables: NonNullable<Pod['spec']['containers'][0]['env']>,
  { nodeName, nodeAddress, cluster }: PodPlace,
): Readonly<Record<string, string>> {
  const entries = variables.map(({ name, value = '', valueFrom }) => {
    if (valueFrom === undefined) return [name, value];
    const field = { 'spec.nodeName': nodeName, 'status.hostIP': nodeAddress }[valueFrom.fieldRef.fieldPath];
    if (field === undefined) throw new Error(`${name}: this field is not known`);
    return [name, field];
  });
  return {
    ...(cluster && {
      KUBERNETES_SERVICE_HOST: cluster.apiServer.address,
      KUBERNETES_SERVICE_PORT: String(cluster.apiServer.port),
    }),
    ...(Object.fromEntries(entries) as Readonly<Record<string, string>>),
  };
}

function volumeMounts(spec: Pod['spec'], place: PodPlace): readonly Mount[] {
  const [{ volumeMounts: mounts }] = spec.containers;
  const bind = (destination: string, source: string, readOnly = false): Mount => ({
    destination,
    type: 'bind',
    source,
    options: ['rbind', 'rprivate', readOnly ? 'ro' : 'rw'],
  });
  return [
    ...(place.cluster === undefined ? [] : [bind(SERVICE_ACCOUNT, place.cluster.serviceAccount, true)]),
    ...mounts.map(({ name, mountPath, readOnly }) => {
      const volume = spec.volumes.find((each) => each.name === name);
      if (volume?.hostPath !== undefined) return bind(mountPath, volume.hostPath.path, readOnly);
      if (volume?.configMap !== undefined)
        return bind(mountPath, `${place.configMaps}/${volume.configMap.name}`, readOnly);
      if (volume?.emptyDir !== undefined)
        return { destination: mountPath, type: 'tmpfs', source: 'tmpfs', options: ['mode=777'] };
      throw new Error(`volume ${name} is not known`);
    }),
  ];
}
