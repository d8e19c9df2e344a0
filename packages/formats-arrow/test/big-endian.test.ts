import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import { type Data, DataType } from "apache-arrow";
import { arrow } from "../src/index.js";
import { readBatches } from "./read.js";

const folder = path.join(import.meta.dirname, "fixtures/big-endian");

/** A column of Arrow's integration JSON. */
interface JsonColumn {
  readonly count: number;
  readonly VALIDITY: readonly number[];
  readonly DATA?: readonly (number | string)[];
  readonly OFFSET?: readonly number[];
  readonly children?: readonly JsonColumn[];
}

test.each(["datetime", "nested"])(
  "the first batch of a big-endian stream of %s columns has the values that were written",
  async (name) => {
    const stream = new Uint8Array(readFileSync(path.join(folder, `generated_${name}.stream`)));
    const text = gunzipSync(readFileSync(path.join(folder, `generated_${name}.json.gz`))).toString();
    const { batches: expected } = JSON.parse(text) as { batches: { columns: JsonColumn[] }[] };
    // The stored batches have 7 and 10 rows.
    const { batches } = await readBatches(arrow, [bytesSource(stream, name)], { batchSize: 7 });
    const [first] = batches;
    expect(batches.map(({ numRows }) => numRows)).toEqual([7, 7, 3]);
    expected[0]!.columns.forEach((column, index) => expectColumn(first!.data.children[index]!, column));
  },
);

/** Returns the stored numbers, or the strings between the offsets of a Utf8 column. */
function valuesOf({ type, values, valueOffsets, length }: Data): ArrayLike<unknown> {
  if (!DataType.isUtf8(type)) return values as BigInt64Array;
  const bytes = Buffer.from(values as Uint8Array);
  return Array.from({ length }, (_, row) => bytes.toString("utf8", valueOffsets[row], valueOffsets[row + 1]));
}

function expectColumn(data: Data, { count, VALIDITY, DATA, OFFSET, children = [] }: JsonColumn): void {
  expect(data.length).toBe(count);
  expect(Array.from({ length: count }, (_, row) => Number(data.getValid(row)))).toEqual(VALIDITY);
  // Values hidden under nulls depend on the writer.
  const valid = (values: ArrayLike<unknown>): string[] =>
    Array.from(values, String).filter((_, row) => VALIDITY[row] === 1);
  if (DATA) expect(valid(valuesOf(data))).toEqual(valid(DATA));
  if (OFFSET) expect([...(data.valueOffsets as Int32Array)]).toEqual(OFFSET);
  children.forEach((child, index) => expectColumn(data.children[index]!, child));
}
