import { expect, test } from "@jest/globals";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ColumnPath } from "@tfxio/schema";
import { type ByteSource, fileSource, isTfxioError } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch, TimeUnit } from "apache-arrow";
import { canonicalBytes } from "./canonical-bytes.js";
import { pyarrowType } from "./pyarrow-type.js";
import { readBatches } from "./read-parquet.js";

/**
 * Folder of files that pyarrow, polars, fastparquet, DuckDB and arrow-rs wrote. Beside each file, a JSON file describes what
 * pyarrow reads from it. The folder is not in the repository.
 */
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/arrow-files/parquet");

interface Golden {
  readonly expect?: "error";
  readonly schema: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly numRows: number;
  readonly columnHashes: readonly string[];
}

const files = existsSync(folder) ? readdirSync(folder).filter((file) => !file.endsWith(".json")) : [];
const whenShared = files.length > 0 ? test : test.skip;

whenShared("there are 203 golden files", () => {
  expect(files).toHaveLength(203);
});

whenShared.each(files.length > 0 ? files : [""])("%s is read as pyarrow reads it", async (name) => {
  const file = path.join(folder, name);
  const golden = JSON.parse(readFileSync(`${file}.expected.json`, "utf8")) as Golden;
  const source: ByteSource = await fileSource(file);
  if (golden.expect === "error") {
    const error: unknown = await readBatches(source).catch((reason: unknown) => reason);
    expect(isTfxioError(error, "corrupt-record", "truncated-record", "limit-exceeded", "unsupported")).toBe(
      true,
    );
    expect(error).toMatchObject({ message: expect.stringContaining(file) as unknown });
    return;
  }
  for (const batchSize of [1_000_000, 7]) {
    const batches = await readBatches(source, { batchSize });
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(golden.numRows);
    if (batches.length > 0) checkColumns(batches, golden);
  }
  const { name: last = "" } = golden.schema.at(-1) ?? {};
  const isUnique = golden.schema.filter((column) => column.name === last).length === 1;
  if (!isUnique || golden.numRows === 0) return;
  const projected = await readBatches(source, { columns: [ColumnPath.of(last)] });
  const index = golden.schema.length - 1;
  checkColumns(projected, {
    ...golden,
    schema: [golden.schema[index]!],
    columnHashes: [golden.columnHashes[index]!],
  });
});

function checkColumns(batches: readonly RecordBatch[], { schema, columnHashes }: Golden): void {
  const fields = batches[0]!.schema.fields;
  expect(fields.map(({ name, nullable }) => ({ name, nullable }))).toEqual(
    schema.map(({ name, nullable }) => ({ name, nullable })),
  );
  const columns = fields.map((_, index) => batches.map(({ data }) => data.children[index] as Data));
  // pyarrow returns INT96 in nanoseconds. We return it in the unit of the Arrow schema in the file, if there is one.
  const scaled = columns.map((chunks, index) =>
    schema[index]!.type === "timestamp[ns]" ? chunks.map(inNanoseconds) : chunks,
  );
  expect(scaled.map(([first]) => plainType(pyarrowType(first!.type)))).toEqual(
    schema.map(({ type }) => plainType(type)),
  );
  expect(scaled.map(hashOf)).toEqual(columnHashes);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "extension<arrow.json>": "string",
  "extension<arrow.uuid>": "fixed_size_binary[16]",
};

/** Simplifies a type name where pyarrow and arrow-js differ, such as in extensions, views and the names of map entries. */
function plainType(type: string): string {
  return (EXTENSIONS[type] ?? type)
    .replaceAll(/ \('[^']*'\)/g, "")
    .replaceAll("string_view", "string")
    .replaceAll("binary_view", "binary")
    .replaceAll("list_view", "list")
    .replaceAll("dictionary<values=large_string", "dictionary<values=string")
    .replace(/^dictionary<values=int64, indices=int32, ordered=0>$/, "int64");
}

function inNanoseconds(data: Data): Data {
  if (!DataType.isTimestamp(data.type)) return data;
  const { unit } = data.type;
  const factor = 10n ** BigInt(9 - 3 * unit);
  const values = (data.values as BigInt64Array).map((value) => value * factor);
  const type = Object.assign(Object.create(Object.getPrototypeOf(data.type) as object), data.type, {
    unit: TimeUnit.NANOSECOND,
    timezone: null,
  }) as DataType;
  return Object.assign(data.clone(type), { values });
}

function hashOf(chunks: readonly Data[]): string {
  const hash = createHash("sha256");
  for (const data of chunks) {
    for (let row = 0; row < data.length; row++) hash.update(canonicalBytes(data, row));
  }
  return hash.digest("hex");
}
