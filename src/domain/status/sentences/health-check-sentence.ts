/** Sentences about the health checks of Services. */
import { TCP_IN_VRFS_SETTING } from '../../basics/conventions.ts';

/** Says that the port of the health checks of a Service is another one's. */
export function takenHealthCheckSentence(port: number, holder: string): string {
  return `its health checks are not answered, as port ${String(port)} is that of ${holder}, which is older; give it another healthCheckNodePort`;
}

/** Says that a port is not answered at the addresses of an uplink. @param vrf that of the uplink */
export function unansweredHealthCheckSentence(port: number, vrf: string): string {
  return `its health checks at port ${String(port)} get no answer at the addresses of the uplink in VRF ${vrf}, as ${TCP_IN_VRFS_SETTING} is 0; set it to 1, by which all sockets of the node that are bound to no VRF answer there`;
}
