import type { EndedConnections } from '../../domain/services/ended-connections.ts';
import type { ApplyResult } from '../apply-result.ts';

/** The connections of pods to Services, as the switch tracks them. */
export interface ServiceConnections {
  /** Ends connections, once the datapath uses the flows that there are: before, the next packet would begin the same one again. Never rejects. */
  end(connections: readonly EndedConnections[]): Promise<ApplyResult>;
}
