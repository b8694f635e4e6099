/** Kills every process of a group (kill(2), negative pid); ignores a group that is gone. */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // ESRCH: no process is left.
  }
}

/**
 * The running process groups of this process. They are killed when it exits, but not when it is killed itself.
 */
export class ProcessGroups {
  readonly #leaders = new Set<number>();
  readonly #endAll = (): void => {
    this.#leaders.forEach(endGroup);
  };

  /** Adds a group by its leader. */
  add(leader: number): void {
    if (this.#leaders.size === 0) process.on('exit', this.#endAll);
    this.#leaders.add(leader);
  }

  /** Removes a group that has exited. */
  delete(leader: number): void {
    this.#leaders.delete(leader);
    if (this.#leaders.size === 0) process.off('exit', this.#endAll);
  }
}
