/**
 * Errors of the CNI plugin (CNI specification 1.1.0, section 5, Error).
 */

/** Codes that the specification reserves. */
export const errorCodes = {
  incompatibleVersion: 1,
  /** The runtime has nothing to clean up. */
  unknownContainer: 3,
  /** The message contains the names of the variables. */
  invalidEnvironment: 4,
  decodingFailure: 6,
  invalidConfiguration: 7,
  tryAgainLater: 11,
  notAvailable: 50,
  /** Own codes begin at 100: the pod cannot be attached, or its attachment is wrong. */
  notAttached: 100,
} as const;

/** A failed call. */
export interface CniError {
  readonly code: (typeof errorCodes)[keyof typeof errorCodes];
  /** The failure, in one clause. */
  readonly message: string;
  /** Why, and what fixes it. */
  readonly details: string;
}

/** The text of an error, JSON, as a runtime of a version reads it. */
export function errorText({ code, message, details }: CniError, cniVersion: string): string {
  return JSON.stringify({ cniVersion, code, msg: message, details });
}
