/** Tables of OVN's Northbound database (ovn-nb(5)) that rows of ours are in. */
export type NorthboundTable =
  | 'Logical_Router'
  | 'Logical_Router_Policy'
  | 'Logical_Router_Port'
  | 'Logical_Router_Static_Route'
  | 'Logical_Switch'
  | 'Logical_Switch_Port'
  | 'NAT'
  | 'Static_MAC_Binding';

/** A value of a column: text, number, truth, a list, or a map. */
export type ColumnValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** A row as it has to be. */
export interface NorthboundRow {
  readonly table: NorthboundTable;
  /** What tells it from the other rows of its table: its name, or where rows of the table have none, the columns that OVN tells them apart by. */
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Keys of its external_ids, others' keys aside; absent where its table has no such column. */
  readonly externalIds?: Readonly<Record<string, string>>;
  /** The row that refers to it, without which OVN would drop it; absent for those that stand by themselves. */
  readonly parent?: { readonly table: NorthboundTable; readonly name: string; readonly column: string };
}
