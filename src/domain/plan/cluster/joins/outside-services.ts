/**
 * How are Services reached from outside of their networks, as far as that is the same on all nodes? A Service is judged again where it changes, or where addresses of the cluster get other
 * owners.
 */
import type { Service } from '../../../api/service.ts';
import { sameIfEqual } from '../../../basics/incremental/same-if-equal.ts';
import type { Network } from '../../../network/network.ts';
import { type LinkAddresses, noLinkAddresses, ownerOfAddress } from '../../../network/provision/taken-addresses.ts';
import type { SubnetIndex } from '../../../network/provision/used-subnets.ts';
import { hasOutsideAddresses, judgedOutsideAddresses } from '../../../services/exposed-addresses.ts';
import { ExposedClaims } from '../../../services/exposed-claims.ts';
import { type OutsidePort, outsidePorts } from '../../../services/exposed-ports.ts';
import { addressesOfUplinks } from '../../../services/outside-owners.ts';
import type { OutsideFindings } from '../../../status/service-warnings.ts';
import { clusterSubnets } from '../../view/cluster-subnets.ts';
import type { ClusterView } from '../../view/cluster-view.ts';

/** A Service with its ports outside, and the link on which no two Services have one port. */
interface Judged {
  readonly link: string;
  readonly addresses: OutsideFindings['addresses'];
  readonly ports: readonly OutsidePort[];
}

/** Services of networks that meet on some node have one link: those of an Uplink, or of the network itself. */
const linkOf = ({ key, uplinks }: Network) => (uplinks.length === 0 ? key : `Uplinks ${uplinks.join()}`);

const textOf = ({ address, port, protocol }: OutsidePort) => `${address} ${String(port)}/${protocol.toUpperCase()}`;

/** The Services that are reached from outside. */
export class OutsideServices {
  readonly #judged = new Map<string, Judged>();
  readonly #claims = new ExposedClaims();
  #used: SubnetIndex | undefined;
  #links: LinkAddresses = noLinkAddresses;
  #externalIps: readonly string[] = [];

  /** Takes over which addresses have owners. @returns the keys of the Services that are to be judged again */
  take({ snapshot, settings }: ClusterView): Iterable<string> {
    // Without such Services nothing is compared: states of uplinks change all the time.
    const links =
      this.#judged.size === 0 ? this.#links : sameIfEqual(this.#links, addressesOfUplinks(snapshot.uplinkStates));
    const used = clusterSubnets(snapshot.nodes, settings);
    const isSame = links === this.#links && used === this.#used && settings.externalIps === this.#externalIps;
    [this.#links, this.#used, this.#externalIps] = [links, used, settings.externalIps];
    return isSame ? [] : this.#judged.keys();
  }

  /**
   * Judges a Service.
   *
   * @param network that it is served in; undefined where it is in none, or gone
   * @returns others that ask for a port which it has got or lost
   */
  set(key: string, service: Service, network: Network | undefined, { snapshot }: ClusterView): Iterable<string> {
    if (network === undefined || !hasOutsideAddresses(service)) return this.delete(key);
    if (this.#judged.size === 0) this.#links = addressesOfUplinks(snapshot.uplinkStates);
    const [used, links] = [this.#used, this.#links];
    const addresses = judgedOutsideAddresses(service, {
      externalIps: this.#externalIps,
      ownerOf: (address) => (used === undefined ? undefined : ownerOfAddress(address, network, used, links)),
    });
    const judged = { link: linkOf(network), addresses, ports: outsidePorts(service, addresses, {}) };
    this.#judged.set(key, judged);
    return this.#claims.set(key, service, judged.link, judged.ports);
  }

  /** Forgets a Service. @returns others that ask for a port which it had */
  delete(key: string): Iterable<string> {
    if (!this.#judged.delete(key)) return [];
    return this.#claims.set(key, undefined, '', []);
  }

  /** Findings about a Service; undefined without any. */
  findings(key: string): OutsideFindings | undefined {
    const judged = this.#judged.get(key);
    if (judged === undefined) return undefined;
    const { link, addresses, ports } = judged;
    return { addresses, taken: ports.filter((port) => this.#claims.holder(link, port) !== key).map(textOf) };
  }
}
