/**
 * Something wrong with an object that a tenant has written, which people see with that object. Conditions say it of objects that have them; Pods and Services
 * have none for ovn-uplinks.
 */
export interface ObjectWarning {
  /** As in `kinds`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** In CamelCase, stable. */
  readonly reason: string;
  /** The problem; then, after a semicolon, the consequence or the fix. */
  readonly message: string;
}
