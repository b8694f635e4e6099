/**
 * The kernel settings that a snapshot holds, once for whoever reads them from `sysctl -a` and whoever reads them from /proc/sys.
 */

/** Of each device, of `all` and of `default`: what decides over routes and addresses (Linux, Documentation/networking/ip-sysctl.rst). */
export const SETTINGS_OF_DEVICES = [
  { family: 4, settings: ['forwarding', 'rp_filter'] },
  { family: 6, settings: ['disable_ipv6', 'force_forwarding', 'forwarding', 'keep_addr_on_down'] },
] as const;

/** Of IPv4 and IPv6 together, whatever the name says: whether sockets outside of VRFs answer in them (Linux, Documentation/networking/vrf.rst). */
export const SETTINGS_OF_SOCKETS = ['raw_l3mdev_accept', 'tcp_l3mdev_accept', 'udp_l3mdev_accept'] as const;

const ofDevices = SETTINGS_OF_DEVICES.map(
  ({ family, settings }) => `net\\.ipv${family}\\.conf\\..*\\.(?:${settings.join('|')})`,
);

/** Matches the lines of `sysctl -a` that say one of them. */
export const LINES_OF_SNAPSHOT = new RegExp(
  `^(?:${[...ofDevices, `net\\.ipv4\\.(?:${SETTINGS_OF_SOCKETS.join('|')})`].join('|')}) `,
);
