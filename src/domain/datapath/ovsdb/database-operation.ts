/** An operation of a transaction (RFC 7047, 5.2). */
export type DatabaseOperation = Readonly<Record<string, unknown>>;
