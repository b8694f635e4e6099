/** The release in /proc/sys/kernel/osrelease or in the output of uname(1), option -r; absent if it does not begin with a version. */
export function kernelReleaseIn(text: string): string | undefined {
  return /^\d+\.\d+\S*$/.exec(text.trim())?.[0];
}
