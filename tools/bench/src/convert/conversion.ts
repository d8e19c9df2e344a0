import type { RowPolicies } from "@tfxio/tensor-adapter";
import { batchRows } from "../decode/subject.js";
import { Random } from "../sets/random.js";

/** A list column of one batch, and the tensor that it shall become. */
export interface Conversion {
  readonly name: string;
  readonly about: string;
  readonly kind: "dense" | "sparse" | "pad" | "ragged";
  readonly dtype: "float32" | "int64";
  /** Values of every row; for ragged rows the largest number of them. */
  readonly rowSize: number;
  /** Text form of the TensorRepresentation of column `x`. */
  readonly representation: string;
  readonly policies: RowPolicies;
  /** True when no value moves, so that the tensor has to lie in the batch's own memory. */
  readonly isZeroCopy: boolean;
  /** Conversions in one timed run. */
  readonly repeats: number;
}

/** What a {@link Conversion} starts from. */
export interface ConversionInput {
  /** Length `batchRows` + 1. */
  readonly rowSplits: Int32Array;
  readonly values: Float32Array | BigInt64Array;
}

const longestRow = 50;
const padded = (kind: "int_value" | "float_value"): string =>
  `dense_tensor { column_name: "x" shape { dim { size: ${longestRow} } } default_value { ${kind}: 0 } }`;

/** Batches of 4096 rows: embeddings of 512 floats, or lists of 0 to 50 values. */
export const conversions: readonly Conversion[] = [
  {
    name: "dense",
    about: "rows of 512 float32 as one tensor; nothing moves",
    kind: "dense",
    dtype: "float32",
    rowSize: 512,
    policies: {},
    isZeroCopy: true,
    repeats: 100,
    representation: 'dense_tensor { column_name: "x" shape { dim { size: 512 } } }',
  },
  {
    name: "coo",
    about: "rows of 0 to 50 int64 as COO: row and position of every value",
    kind: "sparse",
    dtype: "int64",
    rowSize: longestRow,
    policies: {},
    isZeroCopy: false,
    repeats: 200,
    representation: 'varlen_sparse_tensor { column_name: "x" }',
  },
  {
    name: "pad_int64",
    about: "rows of 0 to 50 int64 filled up to 50",
    kind: "pad",
    dtype: "int64",
    rowSize: longestRow,
    policies: { onShort: "pad" },
    isZeroCopy: false,
    repeats: 200,
    representation: padded("int_value"),
  },
  {
    name: "pad_float32",
    about: "rows of 0 to 50 float32 filled up to 50",
    kind: "pad",
    dtype: "float32",
    rowSize: longestRow,
    policies: { onShort: "pad" },
    isZeroCopy: false,
    repeats: 200,
    representation: padded("float_value"),
  },
  {
    name: "ragged",
    about: "rows of 0 to 50 int64 as values and row splits; nothing moves",
    kind: "ragged",
    dtype: "int64",
    rowSize: longestRow,
    policies: {},
    isZeroCopy: true,
    repeats: 1000,
    representation: 'ragged_tensor { feature_path { step: "x" } }',
  },
];

const seed = 11;

/** The same values every time. */
export function inputOf({ kind, dtype, rowSize }: Conversion): ConversionInput {
  const random = new Random(seed);
  const rowSplits = new Int32Array(batchRows + 1);
  for (let row = 0; row < batchRows; row++) {
    const length = kind === "dense" ? rowSize : random.below(rowSize + 1);
    rowSplits[row + 1] = (rowSplits[row] as number) + length;
  }
  // One row of the full length, so that filling up to the longest gives `rowSize` too.
  const missing = rowSize - ((rowSplits[batchRows] as number) - (rowSplits[batchRows - 1] as number));
  rowSplits[batchRows] = (rowSplits[batchRows] as number) + missing;
  const numValues = rowSplits[batchRows];
  const values =
    dtype === "float32"
      ? Float32Array.from({ length: numValues }, () => random.unit())
      : BigInt64Array.from({ length: numValues }, () => BigInt(random.uint32()));
  return { rowSplits, values };
}
