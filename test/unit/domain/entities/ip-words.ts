import { expect } from 'chai';
import type { Entity } from '../../../../src/domain/entities/entity-kinds.ts';
import { semanticsOf } from '../../../../src/domain/index.ts';
import type { SingleOperation } from '../../../../src/domain/entities/operations/operation.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import { nodeWith } from './host-entities.ts';

function commandWords(operation: SingleOperation, beginning: readonly string[]): string {
  const { program, arguments: vector } = semanticsOf(operation).command(operation, nodeWith());
  expect(program).to.equal('ip');
  expect(vector.slice(0, beginning.length)).to.deep.equal(beginning);
  return vector.slice(beginning.length).join(' ');
}

/** The words after the beginning of the command of ip that adds, replaces or removes an entity, in one text. */
export function ipWords(verb: 'add' | 'replace' | 'remove', entity: Entity, ...beginning: readonly string[]): string {
  return commandWords({ verb, networks: [], entity }, beginning);
}

/** The words after the beginning of the command of ip that puts an entity back, in one text. */
export function putBackWords(entity: DisplacedEntity, ...beginning: readonly string[]): string {
  return commandWords({ verb: 'put-back', networks: [], device: 'br-blue', entity }, beginning);
}
