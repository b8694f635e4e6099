import { expect } from 'chai';
import { allKinds } from '../../../../../src/domain/entities/entity-kinds.ts';
import { operationNames } from '../../../../../src/domain/entities/operations/operation-semantics.ts';
import { semanticsOf } from '../../../../../src/domain/index.ts';
import { allSamples, samplesOf } from './samples.ts';

describe('the samples of operations', () => {
  for (const { kind, replace } of allKinds) {
    const verbs = replace === undefined ? ['add', 'remove'] : ['add', 'replace', 'remove'];
    it(`are, of a ${kind}, to ${verbs.join(', ')} one`, () => {
      expect(samplesOf(kind).map(({ operation }) => operation.verb)).to.deep.equal(verbs);
      for (const { operation } of samplesOf(kind)) expect(operation.entity.kind).to.equal(kind);
    });
  }

  it('are of every name that plans, logs and metrics know', () => {
    const names = [...allSamples.values()].map(({ operation }) => semanticsOf(operation).name);
    const ofSets = allKinds.flatMap(({ set }) => set?.names ?? []);
    expect(new Set([...names, ...ofSets])).to.deep.equal(new Set(operationNames()));
  });
});
