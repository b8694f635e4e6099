/**
 * Answers of the agent to calls, and what the plugin prints of them.
 */
import type { CniCall, ReadCall } from './call.ts';
import { type CniError, errorText } from './error.ts';
import type { PluginResult } from './messages.ts';
import { type AttachedInterface, resultText } from './result.ts';
import { NEWEST_CNI_VERSION } from './versions.ts';

/** The answer to a call. */
export type CniAnswer =
  | { readonly kind: 'attached'; readonly attached: AttachedInterface }
  /** A success without a result: of DEL, CHECK, STATUS and GC. */
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: CniError };

function failed(error: CniError, cniVersion: string): PluginResult {
  return { exitStatus: 1, output: errorText(error, cniVersion) };
}

/** The output of the plugin for an answer. */
export function pluginResult(call: CniCall, answer: CniAnswer): PluginResult {
  switch (answer.kind) {
    case 'attached': {
      const previous = 'previous' in call ? call.previous : undefined;
      return { exitStatus: 0, output: resultText(answer.attached, call.cniVersion, previous) };
    }
    case 'done':
      return { exitStatus: 0, output: '' };
    case 'failed':
      return failed(answer.error, call.cniVersion);
  }
}

/** The output of the plugin for an invalid call. */
export function invalidCallResult({ error, cniVersion }: Extract<ReadCall, { readonly valid: false }>): PluginResult {
  return failed(error, cniVersion ?? NEWEST_CNI_VERSION);
}
