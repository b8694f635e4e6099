/** How many Services do networks have, and what is wrong with some of them? */
import { byName } from '../../../basics/names/ordering.ts';
import type { NetworkKey } from '../../../network/key.ts';
import type { ServiceInNetwork, ServiceProblem } from '../../../status/service-problem.ts';
import type { ServicesWithProblem } from '../../../status/services-ready.ts';

/** The Services of a network. */
interface OfNetwork {
  readonly services: Set<string>;
  /** Problems of some of them, by the key of the Service. */
  readonly problems: Map<string, ServiceProblem>;
}

/** The Services of a network in numbers. */
export interface ServicesOfNetwork {
  readonly count: number;
  /** One of each reason. */
  readonly problems: readonly ServicesWithProblem[];
}

const noServices: ServicesOfNetwork = { count: 0, problems: [] };

/** The Services that are served in networks. */
export class ServedServices {
  readonly #services = new Map<string, ServiceInNetwork>();
  readonly #networks = new Map<NetworkKey, OfNetwork>();
  #changed = new Set<NetworkKey>();

  /** Takes over what was judged of a Service. @param key its key; @param judged undefined where it is not served in a network */
  set(key: string, judged: ServiceInNetwork | undefined): void {
    const before = this.#services.get(key);
    if (before?.network === judged?.network && before?.problem?.reason === judged?.problem?.reason)
      if (before?.problem?.text === judged?.problem?.text) return;
    if (before !== undefined) this.#remove(key, before);
    if (judged === undefined) this.#services.delete(key);
    else this.#add(key, judged);
  }

  /** The networks of which something has changed since this was asked for. */
  takeChanged(): ReadonlySet<NetworkKey> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** The Services of a network. */
  in(network: NetworkKey): ServicesOfNetwork {
    const found = this.#networks.get(network);
    if (found === undefined) return noServices;
    const problems = new Map<ServiceProblem['reason'], ServicesWithProblem>();
    for (const [service, { reason, text }] of found.problems) {
      const known = problems.get(reason);
      const isFirst = known === undefined || byName(service, known.service) < 0;
      const first = isFirst ? { service, text } : { service: known.service, text: known.text };
      problems.set(reason, { reason, count: (known?.count ?? 0) + 1, ...first });
    }
    return { count: found.services.size, problems: [...problems.values()] };
  }

  #remove(key: string, { network }: ServiceInNetwork): void {
    this.#changed.add(network);
    const found = this.#networks.get(network);
    found?.services.delete(key);
    found?.problems.delete(key);
    if (found?.services.size === 0) this.#networks.delete(network);
  }

  #add(key: string, judged: ServiceInNetwork): void {
    const { network, problem } = judged;
    this.#changed.add(network);
    this.#services.set(key, judged);
    const found = this.#networks.get(network) ?? { services: new Set(), problems: new Map<string, ServiceProblem>() };
    this.#networks.set(network, found);
    found.services.add(key);
    if (problem !== undefined) found.problems.set(key, problem);
  }
}
