import { recordBatchOf } from "@tfxio/arrow-encoding";
import type { HostColumns } from "@tfxio/tensor-adapter";
import { type Data, Field, Float32, Int32, makeData, type RecordBatch, Schema } from "apache-arrow";

/** Maximum number of rows in a record batch. */
const BATCH_ROWS = 65_536;
const floats = ["x0", "x1", "x2", "x3"];

/** Arrow schema of the table: four float32 features and an int32 label `y`, none of them nullable. */
export const arrowSchema: Schema = new Schema([
  ...floats.map((name) => new Field(name, new Float32(), false)),
  new Field("y", new Int32(), false),
]);

/** A table row as an object, for pipelines that do not use Arrow. */
export interface Row {
  readonly x0: number;
  readonly x1: number;
  readonly x2: number;
  readonly x3: number;
  readonly y: number;
}

/** Creates a table as record batches. Row `k` has the features k, k + 1, k + 2, k + 3 and the label k % 10. */
export function tableBatches(numRows: number): readonly RecordBatch[] {
  return Array.from({ length: Math.ceil(numRows / BATCH_ROWS) }, (_, index) => {
    const start = index * BATCH_ROWS;
    const length = Math.min(BATCH_ROWS, numRows - start);
    const features = floats.map((__, column) =>
      makeData({
        type: new Float32(),
        length,
        data: Float32Array.from({ length }, (___, k) => start + k + column),
      }),
    );
    const label = makeData({
      type: new Int32(),
      length,
      data: Int32Array.from({ length }, (__, k) => (start + k) % 10),
    });
    return recordBatchOf(arrowSchema, length, [...features, label]);
  });
}

/** Creates the rows of {@link tableBatches} as objects. */
export function tableRows(numRows: number): readonly Row[] {
  return Array.from({ length: numRows }, (_, k) => ({ x0: k, x1: k + 1, x2: k + 2, x3: k + 3, y: k % 10 }));
}

/** Returns the columns of a record batch as dense host columns, which borrow its memory. */
export function toHost(batch: RecordBatch): HostColumns {
  return Object.fromEntries(
    arrowSchema.fields.map(({ name }, index) => {
      const { values, length } = batch.data.children[index] as Data<Float32>;
      const dtype = name === "y" ? ("int32" as const) : ("float32" as const);
      return [
        name,
        {
          kind: "dense" as const,
          dtype,
          shape: [length],
          values: values.subarray(0, length),
          borrowed: true,
        },
      ];
    }),
  );
}
