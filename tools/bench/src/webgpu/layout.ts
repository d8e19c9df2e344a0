import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { TensorAdapter } from "@tfxio/tensor-adapter";
import {
  type Data,
  type DataType,
  Field,
  Float32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import { Random } from "../sets/random.js";

const MIB = 2 ** 20;
const longestRow = 50;

/** A kind of tensor to lay out, and its size. */
export interface Layout {
  /** Kind and size, such as `pad_float32_256MiB`. */
  readonly name: string;
  readonly kind: LayoutKind;
  /** Approximate number of bytes of the result, which is the padded tensor, or the indices of a sparse tensor. */
  readonly numBytes: number;
}

type LayoutKind = "pad_float32" | "pad_int64" | "coo";

// Sizes of the results, in MiB.
const sizes = [0.25, 1, 4, 16, 64, 256];
/** All kinds of layouts. `pad_*` pads rows to 50 values, and `coo` computes the indices of a sparse tensor. */
export const kinds: readonly LayoutKind[] = ["pad_float32", "pad_int64", "coo"];

/** Every kind in every size, in increasing order of size for each kind. */
export const layouts: readonly Layout[] = kinds.flatMap((kind) =>
  sizes.map((size): Layout => ({ name: `${kind}_${size}MiB`, kind, numBytes: size * MIB })),
);

/** Creates a batch of rows of 0 to 50 values, and an adapter that converts it to a tensor of the layout's kind and size. */
export function layoutInput({ kind, numBytes }: Layout): {
  readonly batch: RecordBatch;
  readonly adapter: TensorAdapter;
} {
  const random = new Random(12);
  // A padded row has `longestRow` elements of 4 bytes. A COO row has half as many values on average, but two int32 indices for
  // each of them. So every kind of layout reaches about `numBytes` with the same number of rows.
  const numRows = Math.round(numBytes / 4 / longestRow);
  const valueOffsets = new Int32Array(numRows + 1);
  for (let row = 0; row < numRows; row++) {
    valueOffsets[row + 1] = (valueOffsets[row] as number) + random.below(longestRow + 1);
  }
  const child = values(kind, valueOffsets[numRows] as number);
  const type: DataType = new List(new Field("item", child.type, true));
  const list = makeData({ type: type as List, length: numRows, nullCount: 0, valueOffsets, child });
  const schema = new Schema([new Field("x", type, true)]);
  const struct = new Struct(schema.fields);
  const batch = new RecordBatch(
    schema,
    makeData({ type: struct, length: numRows, nullCount: 0, children: [list] }),
  );
  const dense = `dense_tensor { column_name: "x" shape { dim { size: ${longestRow} } } default_value`;
  const texts = {
    pad_float32: `${dense} { float_value: 0 } }`,
    pad_int64: `${dense} { int_value: 0 } }`,
    coo: 'varlen_sparse_tensor { column_name: "x" }',
  };
  const tensorRepresentations = new Map([["x", parseMessageText(TensorRepresentationSchema, texts[kind])]]);
  return {
    batch,
    adapter: new TensorAdapter({ arrowSchema: schema, tensorRepresentations, onShort: "pad" }),
  };
}

/** Creates `length` values: float32, or int64 whose high halves are 0. */
function values(kind: LayoutKind, length: number): Data {
  if (kind !== "pad_int64") {
    return makeData({ type: new Float32(), data: Float32Array.from({ length }, (_, index) => index) });
  }
  const data = new BigInt64Array(length);
  const halves = new Int32Array(data.buffer);
  for (let index = 0; index < length; index++) halves[index * 2] = index;
  return makeData({ type: new Int64(), data });
}
