/** Supported versions of the CNI specification, oldest first. The plugin prints the same without an agent (cni-plugin/main.go). */
export const CNI_VERSIONS = ['0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;

export type CniVersion = (typeof CNI_VERSIONS)[number];

/** The version of output where the input has none that is supported. */
export const NEWEST_CNI_VERSION: CniVersion = '1.1.0';

/** Whether a version of the specification is supported. */
export function isCniVersion(text: unknown): text is CniVersion {
  return CNI_VERSIONS.some((version) => version === text);
}
