import { expect } from 'chai';
import { entityKinds } from '../../../src/domain/entities/entity-kinds.ts';
import type { EntityOperation, Operation } from '../../../src/domain/entities/operations/operation.ts';
import { semanticsOf } from '../../../src/domain/entities/operations/operation-semantics.ts';
import type { HostOperation } from '../../../src/ports/node/host-network.ts';
import type { SettingOperation } from '../../../src/ports/node/kernel-settings.ts';
import type { SwitchOperation } from '../../../src/ports/node/switch-database.ts';

const setting: EntityOperation<'sysctl'> = {
  verb: 'add',
  networks: [],
  entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2' },
};
const mapping: EntityOperation<'bridge-mapping'> = {
  verb: 'add',
  networks: [],
  entity: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
};
const vrf: EntityOperation<'vrf'> = {
  verb: 'remove',
  networks: [],
  entity: { kind: 'vrf', name: 'blue', table: 1012, alias: '', up: true },
};

// The compiler checks this file: a call that it accepts although it must not turns the comment before it into an error.
const host = (operation: HostOperation) => semanticsOf(operation).port;
const settings = (operation: SettingOperation) => semanticsOf(operation).port;
const switches = (operation: SwitchOperation) => semanticsOf(operation).port;

describe('a port takes the operations on entities of its own kinds', () => {
  it('and those alone, as the types say', () => {
    expect([host(vrf), settings(setting), switches(mapping)]).to.deep.equal([
      entityKinds.vrf.port,
      entityKinds.sysctl.port,
      entityKinds['bridge-mapping'].port,
    ]);
    // @ts-expect-error ip does not change settings
    expect(host(setting)).to.equal('kernelSettings');
    // @ts-expect-error ip does not change bridge mappings
    expect(host(mapping)).to.equal('switchDatabase');
    // @ts-expect-error a VRF is not a setting
    expect(settings(vrf)).to.equal('hostNetwork');
    // @ts-expect-error a setting is not in the database of Open vSwitch
    expect(switches(setting)).to.equal('kernelSettings');
  });

  it('and not any operation', () => {
    const ports = [vrf].map((operation: Operation) => {
      // @ts-expect-error the kind of its entity is not known
      return host(operation);
    });
    expect(ports).to.deep.equal(['hostNetwork']);
  });
});
