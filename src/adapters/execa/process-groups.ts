/** Ends every process of a group at once (kill(2), negative pid); a group that is gone already is fine. */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // ESRCH: nobody is left.
  }
}

/**
 * The process groups that this process has started and not seen the end of. They are ended when it exits; where it is killed
 * itself, nothing in it can do that.
 */
export class ProcessGroups {
  readonly #leaders = new Set<number>();
  readonly #endAll = (): void => {
    this.#leaders.forEach(endGroup);
  };

  /** Takes note of a group by the process that leads it. */
  add(leader: number): void {
    if (this.#leaders.size === 0) process.on('exit', this.#endAll);
    this.#leaders.add(leader);
  }

  /** Forgets a group that has come to its end. */
  delete(leader: number): void {
    this.#leaders.delete(leader);
    if (this.#leaders.size === 0) process.off('exit', this.#endAll);
  }
}
