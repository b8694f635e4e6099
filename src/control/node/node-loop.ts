import { Stepper } from '../stepper.ts';
import { applyByPort } from './apply-operation.ts';
import type { Effect } from './effect.ts';
import type { ChangeSource, NodeEvent } from './event.ts';
import type { NodePart, NodeParts } from './observation/node-part.ts';
import { observe } from './observation/observe.ts';
import type { NodePorts } from './ports.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import { Publications } from './publications.ts';
import { RememberedLedger } from './remembered-ledger.ts';
import { initialState, type LoopOptions, type LoopState } from './state.ts';
import { step } from './step.ts';

/** Reconciles a node: runs the effects of `step`, and passes it their results and the changes that ports report. */
export class NodeLoop {
  readonly #nodeName: string;
  readonly #ports: NodePorts;
  readonly #ledger: RememberedLedger;
  readonly #report: (report: NodeReport) => void;
  readonly #isOnce: boolean;
  readonly #stepper: Stepper<LoopState, NodeEvent, Effect>;
  /** The parts of the node as they were read last. */
  #parts: NodeParts | undefined;
  /** Work on the node, serialized. */
  #work: Promise<void> = Promise.resolve();
  readonly #publications: Publications;

  /** @param report takes reports for logs and metrics; must not throw */
  constructor(nodeName: string, ports: NodePorts, options: LoopOptions, report: (report: NodeReport) => void) {
    this.#nodeName = nodeName;
    this.#ports = ports;
    this.#ledger = new RememberedLedger(ports.ledgerStore);
    this.#report = report;
    this.#isOnce = options.once;
    this.#publications = new Publications(ports.resourceStore, (refused) => {
      this.#stepper.dispatch({ kind: 'published', refused, random: Math.random() });
    });
    this.#stepper = new Stepper<LoopState, NodeEvent, Effect>(
      initialState(options),
      step,
      (effect) => this.#run(effect),
      (milliseconds) => report({ kind: 'plan-duration', milliseconds }),
    );
  }

  /**
   * Runs until it is stopped, or with `once` until everything possible is done.
   *
   * @returns whether nothing has failed. Rejects only if a decision throws, which is a bug.
   */
  run(): Promise<boolean> {
    const { hostNetwork, switchDatabase, kernelSettings, resourceStore } = this.#ports;
    const { flowTables, northbound, southbound, packetFilters } = this.#ports.datapath ?? {};
    const changed = (source: ChangeSource): void => {
      this.#stepper.dispatch({ kind: 'changed', source });
    };
    hostNetwork.onChange(changed, (text) => this.#report({ kind: 'warning', text }));
    for (const [part, observed] of Object.entries({
      switchDatabase,
      kernelSettings,
      flowTables,
      northbound,
      southbound,
      packetFilters,
    })) {
      observed?.onChange(() => changed(part as NodePart));
    }
    resourceStore.onChange(() => changed('cluster'));
    changed('cluster');
    return this.#stepper.finished;
  }

  /** Stops after the current operation and leaves the node as it is. */
  stop(): void {
    this.#stepper.dispatch({ kind: 'stop' });
  }

  #run(effect: Effect): void {
    switch (effect.do) {
      case 'observe':
        this.#enqueue(() => this.#observe(effect.observation, effect.parts));
        break;
      case 'apply':
        this.#enqueue(() => this.#apply(effect));
        break;
      case 'write-ledger':
        this.#enqueue(async () => {
          const written = await this.#ledger.keep(effect.ledger, this.#bootId);
          if (!written.done) this.#report({ kind: 'ledger-unwritten', error: written.error });
        });
        break;
      case 'publish':
        this.#publications.publish(effect.publication);
        break;
      case 'set-alarm':
        this.#stepper.setAlarm(effect.at);
        break;
      case 'report':
        this.#report(effect.report);
        break;
      case 'finish':
        this.#stepper.finish(
          // A single pass does not retry.
          Promise.all([this.#publications.ended, this.#work]).then(
            ([isWritten]) => effect.isDone && (isWritten || !this.#isOnce),
          ),
        );
        break;
    }
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }

  get #bootId(): string | undefined {
    return this.#parts?.kernelSettings.bootId;
  }

  async #observe(observation: number, parts: ReadonlySet<NodePart>): Promise<void> {
    const ports = { ...this.#ports, ledgerStore: this.#ledger };
    const reading = await observe(ports, this.#nodeName, parts, this.#parts);
    if (reading.read) this.#parts = reading.value.parts;
    this.#report({ kind: 'observed' });
    this.#stepper.dispatch({ kind: 'observed', observation, reading });
  }

  async #apply({ plan, operation, ledger, bridges }: Effect & { readonly do: 'apply' }): Promise<void> {
    const written = ledger === undefined ? { done: true as const } : await this.#ledger.write(ledger, this.#bootId);
    // What is not in the ledger could not be undone.
    const result = written.done ? await applyByPort(this.#ports, operation, { bridges }) : written;
    this.#stepper.dispatch({ kind: 'applied', plan, result });
  }
}
