/**
 * `npm run lab:first-network [MEASUREMENT...]`: measures what a first network needs, with a real API server, on nodes of the lab with OVN and kernel datapath; all
 * of it by default. Takes three quarters of an hour and 6 GiB. Prints the figures as one JSON document; times are milliseconds, memory is MiB. Run nothing else at the same time.
 */
import { runMeasurements } from '../cluster/figures.ts';
import { changedEndpoints, withoutPods } from './changed-endpoints.ts';
import { firstPackets } from './first-packet.ts';
import { manyNetworks } from './many-networks.ts';

await runMeasurements('lab:first-network', {
  'first-packet': firstPackets,
  'endpoints-100': () => changedEndpoints(100, 'host'),
  'endpoints-100-debian-13': () => changedEndpoints(100, 'debian-13'),
  'endpoints-5000': () => changedEndpoints(5000, 'host'),
  'endpoints-5000-debian-13': () => changedEndpoints(5000, 'debian-13'),
  'without-pods': withoutPods,
  networks: manyNetworks,
});
