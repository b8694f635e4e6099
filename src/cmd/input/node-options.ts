/** Socket of Open vSwitch's database where distributions put it. */
export const DATABASE_SOCKET = '/var/run/openvswitch/db.sock';

/** Socket of the CNI plugin, where the plugin looks for it. */
export const CNI_SOCKET = '/run/ovn-uplinks/cni.sock';

/** Folder of the kernel's network settings. */
export const NETWORK_SETTINGS = '/proc/sys/net';
