import { takeRows } from "@tfxio/arrow-encoding";
import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { type HostColumn, TensorAdapter } from "@tfxio/tensor-adapter";
import { arrayKernels } from "@tfxio/wire/kernels";
import { type Data, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { itemTypeOf, listTypeOf } from "../decode/peers/arrow-fields.js";
import { batchRows } from "../decode/subject.js";
import { BenchError } from "../measurement.js";
import type { Conversion, ConversionInput } from "./conversion.js";
import { type ConvertSubject, digestOf } from "./convert-subject.js";

/** Runs the public functions. They check their input, and the result owns its memory unless it is zero-copy. */
export const ourConversion: ConvertSubject = {
  name: "ours",
  prepare: async (conversion, input) => {
    const convert = converter(conversion, input);
    return {
      run: async (repeats) => {
        const start = performance.now();
        for (let i = 0; i < repeats; i++) convert();
        return (performance.now() - start) / 1000;
      },
      digest: async () => {
        const arrays = convert();
        const values = arrays.at(-1);
        if (conversion.isZeroCopy && values?.buffer !== input.values.buffer) {
          throw new BenchError(`convert ${conversion.name}: the values were copied`);
        }
        return digestOf(arrays);
      },
    };
  },
};

/** Returns a function that runs the conversion and returns the result's arrays in the order of the digest. */
function converter(conversion: Conversion, input: ConversionInput): () => readonly ArrayBufferView[] {
  if (conversion.kind === "varints") return () => encode(input);
  const batch = batchOf(conversion, input);
  if (conversion.representation === undefined) return () => take(batch, input.rows);
  const adapter = new TensorAdapter({
    ...conversion.policies,
    arrowSchema: batch.schema,
    tensorRepresentations: new Map([
      ["x", parseMessageText(TensorRepresentationSchema, conversion.representation)],
    ]),
  });
  return () => arraysOf(adapter.toHost(batch)["x"] as HostColumn);
}

function arraysOf(column: HostColumn): readonly ArrayBufferView[] {
  const values = column.values as ConversionInput["values"];
  if (column.kind === "sparse") return [column.indices, values];
  return column.kind === "ragged" ? [...column.nestedRowSplits, values] : [values];
}

function take(batch: RecordBatch, rows: Uint32Array): readonly ArrayBufferView[] {
  const list = takeRows(batch, rows).data.children[0] as Data;
  return [list.valueOffsets, (list.children[0] as Data).values as BigInt64Array];
}

function encode({ values, rowSplits }: ConversionInput): readonly ArrayBufferView[] {
  const bytes = new Uint8Array(values.length * 10);
  const byteSplits = new Int32Array(rowSplits.length);
  arrayKernels().encodeVarints(values as BigInt64Array, rowSplits, bytes, byteSplits);
  return [byteSplits, bytes.subarray(0, byteSplits.at(-1))];
}

function batchOf({ dtype }: Conversion, { rowSplits, values, validity }: ConversionInput): RecordBatch {
  const kind = dtype === "float32" ? "float" : "int64";
  // The types of makeData require a single column type, but this column may have either of two.
  const child = makeData({ type: itemTypeOf(kind), length: values.length, data: values } as never) as Data;
  const type = listTypeOf(kind);
  const nulls = validity === undefined ? {} : { nullCount: -1, nullBitmap: validity };
  const list = makeData({
    type,
    length: batchRows,
    ...nulls,
    valueOffsets: rowSplits,
    child: child as never,
  });
  const schema = new Schema([new Field("x", type, true)]);
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: batchRows, children: [list] }),
  );
}
