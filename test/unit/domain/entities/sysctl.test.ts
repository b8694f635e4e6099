import { expect } from 'chai';
import { isOurs, ownOf } from '../../../../src/domain/entities/entity-kinds.ts';
import { sysctl as sysctlKind, type SysctlEntity } from '../../../../src/domain/entities/kernel/sysctl.ts';
import { emptyLedger, type LedgerEntry } from '../../../../src/domain/index.ts';
import { address, ledgerOf, nodeWith } from './host-entities.ts';

const name = 'net.ipv4.conf.eth0/100.rp_filter';
const setting: SysctlEntity = { kind: 'sysctl', device: 'eth0.100', name, value: '2' };
const entry: LedgerEntry = { kind: 'sysctl', device: 'eth0.100', name, before: '0', value: '2' };

describe('a kernel setting', () => {
  it('is of the device in its name', () => {
    expect(sysctlKind.all(nodeWith({ sysctls: { [name]: '2' } }))).to.deep.equal([setting]);
    const [ofAll] = sysctlKind.all(nodeWith({ sysctls: { 'net.ipv4.tcp_l3mdev_accept': '0' } }));
    expect(ofAll?.device, 'of no device').to.equal('');
  });

  it('serves exactly if it has the value', () => {
    expect(sysctlKind.satisfies(setting, setting, emptyLedger)).to.be.true;
    expect(sysctlKind.satisfies({ ...setting, value: '1' }, setting, emptyLedger)).to.be.false;
  });

  it('is managed exactly if the ledger has it', () => {
    expect(isOurs(setting, { ledger: ledgerOf(entry) })).to.be.true;
    expect(isOurs(setting, { ledger: emptyLedger })).to.be.false;
    const other = { ...setting, name: name.replace('rp_filter', 'arp_filter') };
    expect(isOurs(other, { ledger: ledgerOf(entry) })).to.be.false;
  });

  it('is removed, if managed, by writing its former value', () => {
    const node = nodeWith({ sysctls: { [name]: '2' }, ledger: [entry] });
    expect(ownOf(sysctlKind, node)).to.deep.equal([{ ...setting, value: '0' }]);
  });

  it('is compared, if managed, with what would be left without ovn-uplinks', () => {
    const node = nodeWith({ sysctls: { [name]: '2' }, ledger: [entry] });
    expect(sysctlKind.undoneByOthers?.(setting, node).sysctls).to.deep.equal({ [name]: '0' });
  });

  it('takes the IPv6 addresses of the device with it, if another program disables IPv6 again', () => {
    const ofIpv6 = 'net.ipv6.conf.ovn-k8s-mp1.disable_ipv6';
    const enabled: SysctlEntity = { kind: 'sysctl', device: 'ovn-k8s-mp1', name: ofIpv6, value: '0' };
    const node = nodeWith({
      links: [{ name: 'ovn-k8s-mp1', addresses: [address('fe80::1/64', { scope: 'link' }), address('10.20.0.2/24')] }],
      sysctls: { [ofIpv6]: '0' },
      ledger: [{ kind: 'sysctl', device: 'ovn-k8s-mp1', name: ofIpv6, before: '1', value: '0' }],
    });
    const undone = sysctlKind.undoneByOthers?.(enabled, node);
    expect(undone?.sysctls).to.deep.equal({ [ofIpv6]: '1' });
    expect(undone?.links[0]?.addresses.map(({ address: text }) => text)).to.deep.equal(['10.20.0.2']);
  });
});
