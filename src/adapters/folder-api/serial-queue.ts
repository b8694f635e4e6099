/** Runs actions one after the other, in the order of the calls. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** @param act must not reject: the following actions would never run. */
  do<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(act);
    this.last = result;
    return result;
  }
}
