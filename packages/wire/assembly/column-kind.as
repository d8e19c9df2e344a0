// The kind of a column's values. It is planned, or found in an entry. A found kind is undone together with the entry.
import { Column, NEVER } from "./column";
import { layOffsets, setValueCapacity } from "./column-growth";
import { UNSET } from "./wire-tags";

/** The `listTag` of a column without a kind. */
export const NO_TAG: u32 = 0xffff_ffff;

/** Sets the kind of a planned column; false when memory runs out. */
export function layPlanned(column: Column): bool {
  return column.plannedKind == UNSET || setKind(column, column.plannedKind);
}

/** Sets the kind of an unplanned column, as found in `row`; false when memory runs out. */
export function discoverKind(column: Column, kind: u32, row: u32): bool {
  column.kindRow = row;
  return setKind(column, kind);
}

function setKind(column: Column, kind: u32): bool {
  column.kind = kind;
  column.listTag = kind * 8 + 2;
  setValueCapacity(column);
  return layOffsets(column);
}

/** Undoes a kind that was found. The next kind reuses its memory. */
export function dropKind(column: Column): void {
  column.kind = UNSET;
  column.listTag = NO_TAG;
  column.entrySize = NEVER;
  column.kindRow = NEVER;
  column.numValues = 0;
  column.numBytes = 0;
}
