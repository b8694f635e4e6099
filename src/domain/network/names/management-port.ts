import { MANAGEMENT_PORT_PREFIX } from '../../basics/conventions.ts';

/** Name of a network's management port. */
export function managementPortName(networkId: number): string {
  return `${MANAGEMENT_PORT_PREFIX}${networkId}`;
}

/** Whether a name is one that the management port of some network has, or may come to have. */
export function isManagementPortName(name: string): boolean {
  return name.startsWith(MANAGEMENT_PORT_PREFIX) && /^\d+$/.test(name.slice(MANAGEMENT_PORT_PREFIX.length));
}
