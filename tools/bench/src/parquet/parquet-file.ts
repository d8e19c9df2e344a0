import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { parquet } from "@tfxio/formats-parquet";
import { openTarget, Random } from "@tfxio/wire";
import {
  Bool,
  type Data,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";

// Number of rows in a written batch. The number of rows of every set is a multiple of it.
const BATCH_ROWS = 50_000;
const GROUP_ROWS = 250_000;

/** A set of the bench. */
export interface ParquetSet {
  readonly name: string;
  /** The table that the file contains. Sets with the same table and number of rows share a file. */
  readonly table: "flat" | "list";
  readonly numRows: number;
  /** Names of the columns to read; absent for all. */
  readonly columns?: readonly string[];
}

/**
 * Resolves to the path of a set's file, which has row groups of 250,000 rows with snappy compression. The first call writes the
 * file. It stays in `folder`, and later runs reuse it.
 */
export async function parquetFile({ table, numRows }: ParquetSet, folder: string): Promise<string> {
  const file = path.join(folder, `${table}-${numRows}.parquet`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const target = await openTarget(file);
  const random = Random.of(1, numRows);
  const columnsOf = table === "flat" ? flatColumns : listColumns;
  const first = batchOf(columnsOf(random, 0));
  const options = { rowGroupRows: GROUP_ROWS };
  const writer = await parquet.createWriter(target, { arrowSchema: first.schema, options });
  for (let row = 0; row < numRows; row += BATCH_ROWS) await writer.write(batchOf(columnsOf(random, row)));
  await writer.finish();
  await target.commit();
  return file;
}

type Columns = Readonly<Record<string, Data>>;

function batchOf(columns: Columns): RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  return recordBatchOf(new ArrowSchema(fields), BATCH_ROWS, Object.values(columns));
}

/** Creates the eight columns of a batch. These columns have types that are common in tables. */
function flatColumns(random: Random, firstRow: number): Columns {
  const numbers = (bound: number): number[] => Array.from({ length: BATCH_ROWS }, () => random.below(bound));
  return {
    id: makeData({
      type: new Int64(),
      data: BigInt64Array.from(numbers(2 ** 32), (_, row) => BigInt(firstRow + row)),
    }),
    wide: makeData({
      type: new Int64(),
      data: BigInt64Array.from(numbers(2 ** 32), (one) => BigInt(one) << 8n),
    }),
    small: makeData({ type: new Int32(), data: Int32Array.from(numbers(1000)) }),
    double: makeData({ type: new Float64(), data: Float64Array.from(numbers(2 ** 32), (one) => one / 7) }),
    float: makeData({ type: new Float32(), data: Float32Array.from(numbers(2 ** 20), (one) => one / 7) }),
    flag: makeData({
      type: new Bool(),
      length: BATCH_ROWS,
      data: Uint8Array.from(numbers(256)).subarray(0, BATCH_ROWS / 8),
    }),
    word: textColumn(numbers(5000).map((one) => `name_${one}`)),
    at: makeData({
      type: new TimestampMicrosecond(),
      data: BigInt64Array.from(numbers(2 ** 32), (one) => 1_500_000_000_000_000n + BigInt(one)),
    }),
  };
}

/** Creates the columns of a batch: an id, and two list columns with 0 to 7 integers or floats in each row. */
function listColumns(random: Random, firstRow: number): Columns {
  const valueOffsets = new Int32Array(BATCH_ROWS + 1);
  for (let row = 0; row < BATCH_ROWS; row++) valueOffsets[row + 1] = valueOffsets[row]! + random.below(8);
  const numValues = valueOffsets[BATCH_ROWS] as number;
  const integers = BigInt64Array.from({ length: numValues }, () => BigInt(random.below(2 ** 20)));
  const floats = Float32Array.from({ length: numValues }, () => random.below(2 ** 24) / 3);
  const listOf = (child: Data): Data =>
    makeData({
      type: new List(new Field("item", child.type, true)),
      length: BATCH_ROWS,
      valueOffsets,
      child,
    });
  return {
    ids: listOf(makeData({ type: new Int64(), data: integers })),
    weights: listOf(makeData({ type: new Float32(), data: floats })),
    id: makeData({
      type: new Int64(),
      data: BigInt64Array.from({ length: BATCH_ROWS }, (_, row) => BigInt(firstRow + row)),
    }),
  };
}

function textColumn(texts: readonly string[]): Data {
  const valueOffsets = new Int32Array(texts.length + 1);
  texts.forEach((text, row) => {
    valueOffsets[row + 1] = valueOffsets[row]! + text.length;
  });
  return makeData({
    type: new Utf8(),
    length: texts.length,
    valueOffsets,
    data: Buffer.from(texts.join("")),
  });
}
