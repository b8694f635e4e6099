import { Alarm, type Timed } from './time.ts';

/** A loop as a function of its state and an event, to its next state and effects. */
type StepFunction<State, Event, Effect> = (state: State, event: Timed<Event>) => readonly [State, readonly Effect[]];

/** Runs a step: gives it events with their time, one after the other, and passes its effects on. */
export class Stepper<State extends { readonly plans: number }, Event extends { readonly kind: string }, Effect> {
  readonly #step: StepFunction<State, Event | { readonly kind: 'alarm' }, Effect>;
  readonly #run: (effect: Effect) => void;
  readonly #planned: (milliseconds: number) => void;
  readonly #finished = Promise.withResolvers<boolean>();
  readonly #alarm = new Alarm(() => this.dispatch({ kind: 'alarm' }));
  #state: State;

  /**
   * @param run starts an effect; its result comes back as an event
   * @param planned takes the time of each plan
   */
  constructor(
    state: State,
    step: StepFunction<State, Event | { readonly kind: 'alarm' }, Effect>,
    run: (effect: Effect) => void,
    planned: (milliseconds: number) => void,
  ) {
    this.#state = state;
    this.#step = step;
    this.#run = run;
    this.#planned = planned;
  }

  /** Resolves to the argument of `finish`; rejects if a step throws, which is a bug. */
  get finished(): Promise<boolean> {
    return this.#finished.promise;
  }

  /** Never throws. */
  dispatch(event: Event | { readonly kind: 'alarm' }): void {
    try {
      const at = performance.now();
      const [state, effects] = this.#step(this.#state, { ...event, at });
      if (state.plans > this.#state.plans) this.#planned(performance.now() - at);
      this.#state = state;
      for (const effect of effects) this.#run(effect);
    } catch (error) {
      this.#alarm.clear();
      this.#finished.reject(error);
    }
  }

  /** @param at milliseconds of `performance.now`; infinity for never */
  setAlarm(at: number): void {
    this.#alarm.set(at);
  }

  /** @param isDone resolves once nothing is under way any more, to whether everything was done */
  finish(isDone: Promise<boolean> | boolean): void {
    this.#alarm.clear();
    this.#finished.resolve(isDone);
  }
}
