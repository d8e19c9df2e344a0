import {
  type ColumnElements,
  fieldElements,
  isListType,
  listColumn,
  listElements,
  nullMask,
} from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { DataType, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";
import type { HostColumn } from "../host/host-column.js";
import { sizeOf } from "../rows/row-of-value.js";
import { columnRows } from "../handlers/tensor-handler.js";
import type { TypeSpec } from "../type-spec.js";
import { typesOnPath } from "../handlers/types-on-path.js";

/** A batch, and the host column that was made from it for the explained tensor. */
export interface Sample {
  readonly batch: RecordBatch;
  /** Every value and offset buffer of the batch. */
  readonly buffers: ReadonlySet<ArrayBufferLike>;
  readonly column: HostColumn;
}

/** One part of a tensor that is made without a custom handler. */
export interface ExplainedPart {
  readonly part: "values" | "indices" | "row splits";
  readonly spec: TypeSpec;
  readonly sourceColumns: readonly ColumnPath[];
  readonly schema: ArrowSchema;
}

/** A reason to copy that applies only to some batches. */
export interface Reason {
  /** The condition as a clause that can follow `unless`, such as `the batch is a slice`. */
  readonly when: string;
  /** True if the reason applies to this batch. */
  readonly holds: (sample: Sample) => boolean;
}

/**
 * Returns the reasons to copy a part. `always` applies to every batch, and is undefined if the part can be a view;
 * `sometimes` depends on the batch.
 */
export function reasonsToCopy({ part, spec, sourceColumns, schema }: ExplainedPart): {
  always: string | undefined;
  sometimes: readonly Reason[];
} {
  if (part === "indices")
    return { always: "indices are computed from offsets or index columns", sometimes: [] };
  // The value column is the last source column of a sparse tensor, after the index columns, and the first of a ragged tensor,
  // before the row-length columns.
  const path = sourceColumns.at(spec.kind === "sparse" ? -1 : 0) as ColumnPath;
  const types = typesOnPath(schema, path);
  if (part === "row splits") return { always: whySplitsNeverLie(spec, types), sometimes: splitReasons(path) };
  return { always: whyValuesNeverLie(types), sometimes: valueReasons(spec, path, types) };
}

function whySplitsNeverLie(spec: TypeSpec, types: readonly DataType[]): string | undefined {
  if (types.some((type) => DataType.isLargeList(type) || DataType.isFixedSizeList(type)))
    return "LargeList and FixedSizeList have no 32-bit offsets to view";
  const isDivided =
    spec.kind === "ragged" &&
    (spec.raggedRank > types.filter(isListType).length ||
      spec.shape.slice(1 + spec.raggedRank).some((size) => size !== 1));
  return isDivided ? "partitions subdivide the rows" : undefined;
}

function splitReasons({ steps }: ColumnPath): Reason[] {
  return [
    {
      when: "the batch is a slice",
      holds: ({ batch }) => {
        const lists = listsOnPath(batch, steps);
        return lists.beginLater && !lists.hide;
      },
    },
    { when: "null rows hide values", holds: ({ batch }) => listsOnPath(batch, steps).hide },
  ];
}

function whyValuesNeverLie(types: readonly DataType[]): string | undefined {
  if (types.some((type) => DataType.isDictionary(type))) return "dictionary-encoded values are looked up";
  return types.some((type) => DataType.isLargeBinary(type) || DataType.isLargeUtf8(type))
    ? "64-bit offsets of byte strings become 32-bit ones (the bytes are a view)"
    : undefined;
}

function valueReasons(spec: TypeSpec, path: ColumnPath, types: readonly DataType[]): Reason[] {
  // A column without lists can only be a field of a structured tensor. It has one value per row, so it needs no padding, and no
  // null list can hide its values.
  if (!types.some(isListType)) return [];
  if (spec.kind !== "tensor") {
    return [{ when: "null rows hide values", holds: ({ batch }) => listsOnPath(batch, path.steps).hide }];
  }
  const rowSize = sizeOf(spec.shape.slice(1) as number[]);
  const someRow = (batch: RecordBatch, isSo: (length: number, isNull: boolean) => boolean): boolean => {
    const rows = columnRows(batch, path.steps[0] as string);
    const { rowSplits } = listElements(rows);
    const isNull = nullMask(rows);
    return rowSplits
      .subarray(1)
      .some((end, row) => isSo(end - (rowSplits[row] as number), isNull?.[row] === 1));
  };
  return [
    {
      when: "rows are padded with the default value",
      holds: ({ batch }) => someRow(batch, (length, isNull) => isNull || length < rowSize),
    },
    {
      when: "rows are truncated",
      holds: ({ batch }) => someRow(batch, (length, isNull) => !isNull && length > rowSize),
    },
  ];
}

interface Lists {
  /** True when null lists, or lists in null structs, still have values underneath. */
  readonly hide: boolean;
  /** True when the first list of some level begins after the first stored value. */
  readonly beginLater: boolean;
}

/** Examines every level of lists on a path. */
function listsOnPath(batch: RecordBatch, [column, ...fields]: readonly string[]): Lists {
  let hide = false;
  let beginLater = false;
  const goIntoLists = (elements: ColumnElements): ColumnElements => {
    let inner = elements;
    while (isListType(inner.data.type)) {
      const { rowSplits } = listColumn(inner.data);
      const first = rowSplits[inner.runs[0] as number] as number;
      const end = rowSplits[inner.runs.at(-1) as number] as number;
      inner = listElements(inner).elements;
      hide ||= inner.length < end - first;
      beginLater ||= first !== 0;
    }
    return inner;
  };
  let leaf = goIntoLists(columnRows(batch, column as string));
  for (const name of fields) leaf = goIntoLists(fieldElements(leaf, name));
  return { hide, beginLater };
}
