import { encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { encodeTfRecord } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** Schema of {@link examples}: a scalar, two vectors of fixed length, and a variable-length list. */
export const SCHEMA: Schema = parseSchemaText(`
  feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
  feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 2 } } }
  feature { name: "tags" type: BYTES }
  feature { name: "y" type: INT presence { min_fraction: 1 } shape { dim { size: 1 } } }
`);

/**
 * Encodes rows `from` to `to` (exclusive). In row i, `id` is i, `x` is [i, -i], and `y` is i % 2. Row i has i % 3 `tags`, or null
 * tags if i % 4 is 0.
 */
export function examples(from: number, to: number): Uint8Array[] {
  return Array.from({ length: to - from }, (_, index) => {
    const i = from + index;
    const tags: FeatureValues | null =
      i % 4 === 0 ? null : { kind: "bytes", values: range(0, i % 3).map((k) => `t${k}`) };
    return encodeExample({
      id: { kind: "int64", values: [i] },
      x: { kind: "float", values: [i, -i] },
      tags,
      y: { kind: "int64", values: [i % 2] },
    });
  });
}

/** Creates a TFRecord file of `records` in memory. */
export function tfRecordFile(records: readonly Uint8Array[]): Uint8Array {
  const framed = records.map(encodeTfRecord);
  const file = new Uint8Array(framed.reduce((length, record) => length + record.length, 0));
  let at = 0;
  for (const record of framed) {
    file.set(record, at);
    at += record.length;
  }
  return file;
}

/** Creates three files, with ids 0–9, 10–14 and 15–29. */
export const threeFiles = (): Uint8Array[] =>
  [examples(0, 10), examples(10, 15), examples(15, 30)].map(tfRecordFile);

/** Returns the ids of the rows of a batch. */
export function idsOf(batch: RecordBatch): number[] {
  const ids = batch.getChild("id");
  return Array.from({ length: batch.numRows }, (_, row) => Number(ids?.get(row)?.get(0)));
}

/** Collects all items of an iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the integers from `from` to `to` (exclusive). */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);
