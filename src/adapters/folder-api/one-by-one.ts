/** Does things one after the other, in the order in which they are asked for. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  /** @param act must not reject: what follows would never be done. */
  do<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(act);
    this.last = result;
    return result;
  }
}
