import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { type HostColumn, TensorAdapter } from "@tfxio/tensor-adapter";
import type { RecordBatch } from "apache-arrow";

/**
 * Converts a batch to host columns, and the columns to JSON. int64 is decimal text, float32 is its bits, and bytes are base64.
 * @param representations TensorRepresentations in text format, by tensor name.
 */
export function hostTensors(
  batch: RecordBatch,
  representations: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const texts = Object.entries(representations);
  const adapter = new TensorAdapter({
    arrowSchema: batch.schema,
    tensorRepresentations: new Map(
      texts.map(([name, text]) => [name, parseMessageText(TensorRepresentationSchema, text)]),
    ),
  });
  return Object.fromEntries(
    Object.entries(adapter.toHost(batch)).map(([name, column]) => [name, plain(column)]),
  );
}

function plain(column: HostColumn): unknown {
  const values = plainValues(column.values);
  switch (column.kind) {
    case "dense":
      return { shape: column.shape, values };
    case "sparse":
      return { indices: [...column.indices], values, denseShape: column.denseShape };
    case "ragged":
      return { rowSplits: column.nestedRowSplits.map((splits) => [...splits]), values };
  }
}

function plainValues(values: HostColumn["values"]): unknown[] {
  if (!ArrayBuffer.isView(values)) {
    return values.toArray().map((bytes) => Buffer.from(bytes).toString("base64"));
  }
  return values[Symbol.toStringTag] === "Float32Array"
    ? [...new Uint32Array(values.buffer, values.byteOffset, values.length)]
    : Array.from(values as Iterable<unknown>, String);
}
