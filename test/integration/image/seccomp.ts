import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Conditions {
  readonly caps?: readonly string[];
  readonly arches?: readonly string[];
}

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly args: readonly object[] | null;
  readonly includes: Conditions;
  readonly excludes: Conditions;
  readonly errnoRet?: number;
}

interface Profile {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly archMap: readonly { readonly architecture: string; readonly subArchitectures: readonly string[] }[];
  readonly syscalls: readonly Rule[];
}

/**
 * The system calls that a container may use with seccompProfile RuntimeDefault, as an engine passes them to its runtime (OCI Runtime Specification,
 * Linux, Seccomp): some depend on capabilities.
 */
export function runtimeDefaultSeccomp(capabilities: readonly string[]): object {
  const file = join(import.meta.dirname, '../../../fixtures/seccomp/default.json');
  const { defaultAction, defaultErrnoRet, archMap, syscalls } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const own = process.arch === 'x64' ? 'SCMP_ARCH_X86_64' : 'SCMP_ARCH_AARCH64';
  const isMet = ({ includes, excludes }: Rule) =>
    (includes.arches?.includes(architecture) ?? true) &&
    (includes.caps?.every((each) => capabilities.includes(each)) ?? true) &&
    excludes.arches?.includes(architecture) !== true &&
    excludes.caps?.some((each) => capabilities.includes(each)) !== true;
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: archMap
      .filter(({ architecture: name }) => name === own)
      .flatMap(({ architecture: name, subArchitectures }) => [name, ...subArchitectures]),
    syscalls: syscalls.filter(isMet).map(({ names, action, args, errnoRet }) => ({
      names,
      action,
      ...(errnoRet !== undefined && { errnoRet }),
      ...(args !== null && args.length > 0 && { args }),
    })),
  };
}
