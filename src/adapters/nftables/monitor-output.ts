/** Tells what nft monitor (nft(8)) prints besides changes. */

/** Begins a line on its standard output about events that it could not receive (nftables, src/mnl.c, mnl_nft_event_listener); it continues after lost ones. */
const FAILED_LINE = '# ERROR:';

/** A message on its standard error about a rule of iptables that it prints by names alone (nftables, src/xt.c): the change is printed. */
const UNKNOWN_EXTENSION = /^(?:# Warning: )?XT (?:match|target) \S+ not found$/;

/** The part of a `MonitorListener` that is about the output of nft monitor. */
export const nftMonitorOutput = {
  saysMissed: (line: string) => line.startsWith(FAILED_LINE),
  saysNothing: (message: string) => UNKNOWN_EXTENSION.test(message),
};
