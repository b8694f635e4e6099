/**
 * One change of one object of a node: plain data, whose meaning is in one file a kind.
 *
 * The kinds make an algebra. Each says what must hold before it, what it does to a node, which operations take it back, what it
 * disturbs, and how it is done and told.
 */
import type { Change } from '../node-model/change.ts';
import type { Ledger } from '../ownership/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { Operation } from './operation-kinds.ts';

/** What every operation says. */
export interface OperationBase {
  /** Names of the ClusterUserDefinedNetworks that it is done for, sorted: several where they share a thing, none where nobody is known. */
  readonly networks: readonly string[];
}

/**
 * What an operation disturbs besides what it changes. `link-cycle`: an interface goes down and up, connections through it pause, and its IPv6
 * addresses are looked for duplicates of again. `address-detection`: an IPv6 address is silent for 2 s while the kernel looks for duplicates; until
 * then it is no source of a route (see PutBack). `connections-reset`: connections end.
 */
export type Disruption = 'none' | 'link-cycle' | 'address-detection' | 'connections-reset';

/** A program and its argument vector, which no shell ever sees. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
}

/**
 * What an operation has to do with others, as names of things. One comes before another if it makes what the other needs, if it uses
 * what the other ends, or if it ends what the other makes anew.
 */
export interface Dependencies {
  readonly makes?: readonly string[];
  /** Things that have to be there first, if anything in the plan makes them. */
  readonly needs?: readonly string[];
  /** Things that must not be gone yet. */
  readonly uses?: readonly string[];
  readonly ends?: readonly string[];
}

/** What a kind of operation means. */
export interface OperationKind<Kind extends Operation> {
  /** `+` makes a thing, `~` changes one, `-` removes one. */
  readonly mark: '+' | '~' | '-';
  dependencies(operation: Kind): Dependencies;
  /** Why it must not be done to a node, though the kernel might take it; nothing where it may. */
  obstacle?(operation: Kind, node: NodeSnapshot): string | undefined;
  /** The ledger as it is written before the operation; the same where nothing has to be. */
  announce?(operation: Kind, before: NodeSnapshot): Ledger;
  /** What it does to a node, but for the ledger. */
  effect(operation: Kind, node: NodeSnapshot): Change;
  /** The ledger as it is written after the operation; the same where nothing has to be. */
  confirm?(operation: Kind, after: NodeSnapshot): Ledger;
  /** What takes it back, in order. */
  inverse(operation: Kind, before: NodeSnapshot): readonly Operation[];
  disruption(operation: Kind): Disruption;
  /** Whether the kernel drops with it what an administrator may just have added, so that nothing may come between a look at the node and it. */
  readonly dropsThings?: true;
  command(operation: Kind, before: NodeSnapshot): Command;
  /** For a person, in a line. */
  summary(operation: Kind): string;
}
