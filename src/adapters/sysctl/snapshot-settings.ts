/**
 * The kernel settings in a snapshot, read from `sysctl -a` or from /proc/sys.
 */

/** Of each device, `all` and `default`: what affects routes and addresses (Linux, Documentation/networking/ip-sysctl.rst). */
export const SETTINGS_OF_DEVICES = [
  { family: 4, settings: ['forwarding', 'rp_filter'] },
  { family: 6, settings: ['accept_ra', 'disable_ipv6', 'force_forwarding', 'forwarding', 'keep_addr_on_down'] },
] as const;

/** For IPv4 and IPv6, despite the name: whether sockets outside of VRFs accept traffic in them (Linux, Documentation/networking/vrf.rst). */
export const SETTINGS_OF_SOCKETS = ['raw_l3mdev_accept', 'tcp_l3mdev_accept', 'udp_l3mdev_accept'] as const;

const ofDevices = SETTINGS_OF_DEVICES.map(
  ({ family, settings }) => `net\\.ipv${family}\\.conf\\..*\\.(?:${settings.join('|')})`,
);

/** Matches their lines in `sysctl -a`. */
export const LINES_OF_SNAPSHOT = new RegExp(
  `^(?:${[...ofDevices, `net\\.ipv4\\.(?:${SETTINGS_OF_SOCKETS.join('|')})`].join('|')}) `,
);
