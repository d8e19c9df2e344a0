import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { type HostColumn, TensorAdapter } from "@tfxio/tensor-adapter";
import { type Data, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { itemTypeOf, listTypeOf } from "../decode/peers/arrow-fields.js";
import { batchRows } from "../decode/subject.js";
import { BenchError } from "../measurement.js";
import type { Conversion, ConversionInput } from "./conversion.js";
import { type ConvertSubject, digestOf } from "./convert-subject.js";

/** `TensorAdapter.toHost`: checks every row, and gives typed arrays. */
export const ourConversion: ConvertSubject = {
  name: "ours",
  prepare: async (conversion, input) => {
    const batch = batchOf(conversion, input);
    const adapter = new TensorAdapter({
      ...conversion.policies,
      arrowSchema: batch.schema,
      tensorRepresentations: new Map([
        ["x", parseMessageText(TensorRepresentationSchema, conversion.representation)],
      ]),
    });
    const convert = (): HostColumn => adapter.toHost(batch).x as HostColumn;
    return {
      run: async (repeats) => {
        const start = performance.now();
        for (let i = 0; i < repeats; i++) convert();
        return (performance.now() - start) / 1000;
      },
      digest: async () => {
        const column = convert();
        const values = column.values as ConversionInput["values"];
        if (conversion.isZeroCopy && values.buffer !== input.values.buffer) {
          throw new BenchError(`convert ${conversion.name}: the values were copied`);
        }
        if (column.kind === "sparse") return digestOf([column.indices, values]);
        return digestOf(column.kind === "ragged" ? [...column.nestedRowSplits, values] : [values]);
      },
    };
  },
};

function batchOf({ dtype }: Conversion, { rowSplits, values }: ConversionInput): RecordBatch {
  const kind = dtype === "float32" ? "float" : "int64";
  // The types of makeData follow the column's type, which is one of two here.
  const child = makeData({ type: itemTypeOf(kind), length: values.length, data: values } as never) as Data;
  const type = listTypeOf(kind);
  const list = makeData({ type, length: batchRows, valueOffsets: rowSplits, child: child as never });
  const schema = new Schema([new Field("x", type, true)]);
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: batchRows, children: [list] }),
  );
}
