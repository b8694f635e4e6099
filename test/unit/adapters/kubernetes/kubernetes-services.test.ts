import { expect } from 'chai';
import { acceptedObject } from '../../../../src/adapters/kubernetes/watch/accepted-object.ts';
import { serviceKind } from '../../../../src/domain/api/service.ts';

describe('a Service that every pod needs', () => {
  const accept = acceptedObject(serviceKind);
  const metadata = { namespace: 'kube-system', name: 'kube-dns' };
  const valid = { metadata, spec: { clusterIPs: ['10.96.0.10'], ports: [{ port: 53, protocol: 'UDP' }] } };
  const invalid = { metadata, spec: { clusterIPs: ['10.96.0.10'], ports: 'all' } };

  it('is used as far as it is read', () => {
    const object = { ...valid, apiVersion: 'v1', kind: 'Service' };
    expect(accept(valid, undefined)).to.deep.equal({ object, warnings: [] });
  });

  it('is not used if it cannot be read, and a warning says what is wrong and what follows', () => {
    const { object, warnings } = accept(invalid, undefined);
    expect(object).to.equal(undefined);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.deep.include({
      origin: { kind: 'object', object: 'Service/kube-system/kube-dns' },
      path: 'spec.ports',
    });
    expect(warnings[0]?.message).to.match(/^expected .*, found string "all"; the object is not used: /);
  });

  it('stays in use as it was last valid', () => {
    const { object, warnings } = accept(invalid, valid);
    expect(object).to.equal(valid);
    expect(warnings[0]?.message).to.match(/the last valid version of it stays in use$/);
  });
});
