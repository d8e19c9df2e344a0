import type { RowPolicies } from "@tfxio/tensor-adapter";
import { batchRows } from "../decode/subject.js";
import { Random } from "../sets/random.js";

/** A list column of one batch, and the result to convert it to: a tensor, reordered rows, or bytes. */
export interface Conversion {
  readonly name: string;
  readonly about: string;
  readonly kind: "dense" | "sparse" | "pad" | "ragged" | "take" | "varints";
  readonly dtype: "float32" | "int64";
  /** Number of values in every row; the maximum if rows vary in length. */
  readonly rowSize: number;
  /** On average, one row in this many is null. All other rows have `rowSize` values. Absent if no row is null. */
  readonly rowsPerNull?: number;
  /** The value that pads short rows and replaces null rows. */
  readonly fill: number;
  /** TensorRepresentation of column `x` in text format; absent if the result is not a tensor. */
  readonly representation?: string;
  readonly policies: RowPolicies;
  /** True if no value is copied. The bench then checks that the tensor shares the batch's memory. */
  readonly isZeroCopy: boolean;
  /** Number of conversions in one timed run, chosen so that a run is long enough to time. */
  readonly repeats: number;
}

/** The input of a {@link Conversion}. */
export interface ConversionInput {
  /** Row splits, length `batchRows` + 1, starting at 0. */
  readonly rowSplits: Int32Array;
  readonly values: Float32Array | BigInt64Array;
  /** Arrow validity bitmap, where a 0 bit marks a null row; absent if no row is null. */
  readonly validity?: Uint8Array | undefined;
  /** Indices of the rows to take, in random order, some of them repeated. */
  readonly rows: Uint32Array;
}

const longestRow = 50;
const dense = (size: number, fill: string): string =>
  `dense_tensor { column_name: "x" shape { dim { size: ${size} } } default_value { ${fill} } }`;

/** All conversions. Batches have 4096 rows: embeddings of 512 floats, nullable single values, or lists of 0 to 50 values. */
export const conversions: readonly Conversion[] = [
  {
    name: "dense",
    about: "rows of 512 float32 as one tensor, without a copy",
    kind: "dense",
    dtype: "float32",
    rowSize: 512,
    fill: 0,
    policies: {},
    isZeroCopy: true,
    repeats: 100,
    representation: 'dense_tensor { column_name: "x" shape { dim { size: 512 } } }',
  },
  {
    name: "coo",
    about: "rows of 0 to 50 int64 as COO (row and position of every value)",
    kind: "sparse",
    dtype: "int64",
    rowSize: longestRow,
    fill: 0,
    policies: {},
    isZeroCopy: false,
    repeats: 200,
    representation: 'varlen_sparse_tensor { column_name: "x" }',
  },
  {
    name: "pad_int64",
    about: "rows of 0 to 50 int64 padded to 50",
    kind: "pad",
    dtype: "int64",
    rowSize: longestRow,
    fill: 0,
    policies: { onShort: "pad" },
    isZeroCopy: false,
    repeats: 200,
    representation: dense(longestRow, "int_value: 0"),
  },
  {
    name: "pad_float32",
    about: "rows of 0 to 50 float32 padded to 50",
    kind: "pad",
    dtype: "float32",
    rowSize: longestRow,
    fill: 0,
    policies: { onShort: "pad" },
    isZeroCopy: false,
    repeats: 200,
    representation: dense(longestRow, "float_value: 0"),
  },
  {
    name: "fill_null",
    about: "one float32 in each row; about one row in ten is null and becomes -1",
    kind: "pad",
    dtype: "float32",
    rowSize: 1,
    rowsPerNull: 10,
    fill: -1,
    policies: {},
    isZeroCopy: false,
    repeats: 2000,
    representation: dense(1, "float_value: -1"),
  },
  {
    name: "ragged",
    about: "rows of 0 to 50 int64 as values and row splits, without a copy",
    kind: "ragged",
    dtype: "int64",
    rowSize: longestRow,
    fill: 0,
    policies: {},
    isZeroCopy: true,
    repeats: 1000,
    representation: 'ragged_tensor { feature_path { step: "x" } }',
  },
  {
    name: "take",
    about: "4096 rows of 0 to 50 int64, taken in random order with repeats",
    kind: "take",
    dtype: "int64",
    rowSize: longestRow,
    fill: 0,
    policies: {},
    isZeroCopy: false,
    repeats: 200,
  },
  {
    name: "varint_encode",
    about: "rows of 0 to 50 int64 as packed varints; each value has 32 random bits",
    kind: "varints",
    dtype: "int64",
    rowSize: longestRow,
    fill: 0,
    policies: {},
    isZeroCopy: false,
    repeats: 50,
  },
];

const seed = 11;

/** Generates the input of a conversion, with the same values every time. */
export function inputOf({ kind, dtype, rowSize, rowsPerNull }: Conversion): ConversionInput {
  const random = new Random(seed);
  const rowSplits = new Int32Array(batchRows + 1);
  const validity = rowsPerNull === undefined ? undefined : new Uint8Array(batchRows >> 3).fill(255);
  const lengthOf = (row: number): number => {
    if (validity === undefined) return kind === "dense" ? rowSize : random.below(rowSize + 1);
    const isNull = row + 1 < batchRows && random.below(rowsPerNull ?? 1) === 0;
    if (isNull) validity[row >> 3] = (validity[row >> 3] as number) & ~(1 << (row & 7));
    return isNull ? 0 : rowSize;
  };
  for (let row = 0; row < batchRows; row++) rowSplits[row + 1] = (rowSplits[row] as number) + lengthOf(row);
  // The last row gets the full length, so that the longest row has `rowSize` values.
  const missing = rowSize - ((rowSplits[batchRows] as number) - (rowSplits[batchRows - 1] as number));
  rowSplits[batchRows] = (rowSplits[batchRows] as number) + missing;
  const numValues = rowSplits[batchRows];
  const values =
    dtype === "float32"
      ? Float32Array.from({ length: numValues }, () => random.unit())
      : BigInt64Array.from({ length: numValues }, () => BigInt(random.uint32()));
  const rows = Uint32Array.from({ length: batchRows }, () => random.below(batchRows));
  return { rowSplits, values, validity, rows };
}
