import { isManagementPortIn } from '../../network/names/numbers.ts';
import { VRF_ALIAS_PREFIX } from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { linkOf, isVrf, withLink } from '../../node-model/device.ts';
import { deleteLink, setAlias, setUp } from '../../node-model/link.ts';
import { addVrf } from '../../node-model/vrf.ts';
import { withoutDeviceSettings } from '../../snapshot/device-settings.ts';
import { entryOf, type Ledger, type UnsignedVrf } from '../../snapshot/ledger.ts';
import type { Link, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { ip } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityKind } from '../entity-kind.ts';
import { signedName, vrfSignature } from '../../network/names/vrf-signature.ts';

/** A VRF device. */
export interface VrfEntity {
  readonly kind: 'vrf';
  readonly name: string;
  readonly table: number;
  /** The link alias; empty for none. */
  readonly alias: string;
  readonly up: boolean;
}

const vrfEntity = lazyByObject(({ name, vrfTable = 0, alias = '', up }: Link): VrfEntity => ({
  kind: 'vrf',
  name,
  table: vrfTable,
  alias,
  up,
}));

/** Whether a device is the VRF of a ledger entry: it has no alias, and the table that ovn-uplinks gave it. */
export function isStillUnsigned({ table }: UnsignedVrf, { kind, alias = '', vrfTable }: Link): boolean {
  return kind === 'vrf' && alias === '' && table === vrfTable;
}

/** Whether a device is a managed VRF. */
export function isOwnVrf(link: Link, ledger: Ledger): boolean {
  return isVrf(link) && vrf.isOurs(vrfEntity(link), ledger);
}

function deviceText({ name, table }: VrfEntity): string {
  return `VRF ${name} with table ${table}`;
}

function linkOfVrf({ name }: VrfEntity, { links }: NodeSnapshot): Link | undefined {
  return links.find((link) => link.name === name);
}

function changeText({ name, alias }: VrfEntity): string {
  return `VRF ${name}: up, signed as ${alias}`;
}

export const vrf: EntityKind<VrfEntity, 'hostNetwork'> = {
  kind: 'vrf',
  parts: ['links'],
  identity: ({ name }) => name,
  // An unmanaged VRF with the right table is used as it is.
  satisfies: (found, desired, ledger) =>
    found.table === desired.table && (!vrf.isOurs(found, ledger) || (found.alias === desired.alias && found.up)),
  all: ({ links }) => links.filter(isVrf).map(vrfEntity),
  put: (node, entities) =>
    entities.reduce((before, { name, table, alias, up }) => {
      const made = addVrf(before, { name, table });
      return withLink(made.done ? made.node : before, name, (link) => ({ ...link, alias, up, vrfTable: table }));
    }, node),
  take: (node, entities) => {
    const taken = new Set(entities.map(({ name }) => name));
    return {
      ...node,
      links: node.links.filter(({ name }) => !taken.has(name)),
      sysctls: [...taken].reduce(withoutDeviceSettings, node.sysctls),
    };
  },
  comparable: ({ name }, node) => {
    const { index: _, macAddress: __, addresses: ___, master: ____, ...link } = linkOf(node, name) ?? { name };
    return link;
  },
  // Set down and not deleted, which would affect everything in it.
  undoneByOthers: ({ name }, node) => withLink(node, name, (link) => ({ ...link, up: false })),
  isOurs: ({ name, table, alias }, ledger) =>
    alias === ''
      ? entryOf(ledger, 'unsigned-vrf', name, (entry) => entry.table === table) !== undefined
      : alias.startsWith(VRF_ALIAS_PREFIX),
  anchor: ({ name }) => ({ vrf: name }),
  // The table of a VRF cannot be changed.
  isReplaceable: (found, desired) => found.table === desired.table,
  linkCycleDevices: ({ name }) => [name],
  isAddedInTwoSteps: true,
  // The alias is set by a second command; until then the ledger has an entry.
  ledger: {
    entry: ({ name, table, alias }) => ({ kind: 'unsigned-vrf', name, table, network: signedName(alias) }),
    isAbout: (entry, { name }) => entry.kind === 'unsigned-vrf' && entry.name === name,
    until: ['replace', 'remove'],
  },
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.links],
  text: deviceText,
  add: {
    name: 'add-vrf',
    mark: '+',
    dependencies: ({ name }, networks) => ({ makes: [dependency('link', name), ...dependencies('network', networks)] }),
    effect: ({ name, table }, node) => addVrf(node, { name, table }),
    command: ({ name, table }) => ip(['link', 'add', 'dev', name, 'up', 'type', 'vrf', 'table', `${table}`]),
  },
  replace: {
    name: 'set-vrf',
    mark: '~',
    dependencies: ({ name }, networks) => ({
      makes: [dependency('up', name), ...dependencies('network', networks)],
      needs: [dependency('link', name)],
    }),
    effect: ({ name, alias }, node) => {
      const signed = setAlias(node, name, alias);
      return signed.done ? setUp(signed.node, name) : signed;
    },
    // A device that is down or not signed is not a state to return to.
    inverse: () => [],
    command: ({ name, alias }) => ip('link', 'set', 'dev', name, 'up', 'alias', alias),
    summary: changeText,
    discrepancy: (entity, node) => {
      const { up = false, alias = 'none' } = linkOfVrf(entity, node) ?? {};
      return {
        path: `VRF ${entity.name}`,
        found: `${up ? 'up' : 'down'}, signed as ${alias}`,
        wanted: `up, signed as ${entity.alias}`,
      };
    },
  },
  remove: {
    name: 'delete-vrf',
    mark: '-',
    dependencies: ({ name }, networks) => ({ ends: [dependency('link', name), ...dependencies('traffic', networks)] }),
    refusal: (entity, node) => {
      const link = linkOfVrf(entity, node);
      if (link === undefined) return `there is no device ${entity.name}`;
      if (!isOwnVrf(link, node.ledger)) return `VRF ${entity.name} is not managed by ovn-uplinks`;
      const member = node.links.find(({ master }) => master === entity.name);
      return member && `${member.name} is still in VRF ${entity.name}`;
    },
    // Planned only if the VRF is empty; what another program has added since is released.
    displacesFrom: ({ name, table }, { links }) =>
      links
        .filter((member) => member.master === name && !isManagementPortIn(table, member.name))
        .map((member) => member.name),
    effect: ({ name }, node) => deleteLink(node, name),
    inverse: (entity, node) => {
      const link = linkOfVrf(entity, node);
      if (link?.vrfTable === undefined) return [];
      const { name, vrfTable: table, alias = '' } = link;
      const signed: VrfEntity = { kind: 'vrf', name, table, alias: vrfSignature(signedName(alias)), up: true };
      return [
        { verb: 'add', entity: signed },
        { verb: 'replace', entity: signed },
      ];
    },
    command: ({ name }) => ip('link', 'delete', 'dev', name),
    summary: ({ name }) => `VRF ${name}`,
  },
};
