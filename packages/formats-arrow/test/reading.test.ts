import { describe, expect, test } from "@jest/globals";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { type ByteRange, type ByteSource, bytesSource, isTfxioError } from "@tfxio/wire";
import {
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  type RecordBatch,
  RecordBatchStreamWriter,
  Schema as ArrowSchema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { arrow } from "../src/index.js";
import { readBatches } from "./read.js";
import { writeBatches, written } from "./written.js";

const rows = Array.from({ length: 1000 }, (_, row) => ({
  id: BigInt(row),
  score: row / 2,
  word: `word ${row}`,
  good: row % 3 === 0,
  kind: `kind ${row % 5}`,
  parts: [row, row + 1],
  point: { x: row, y: null },
}));
const file = await written(rows, { batchRows: 250 });
const stream = await written(rows, { batchRows: 250, options: { container: "stream" } });

/** A remote source that serves only ranges and its tail. It records the requested ranges. */
function rangeSource(bytes: Uint8Array): ByteSource & { readonly ranges: ByteRange[] } {
  const ranges: ByteRange[] = [];
  const slice = async (start: number, end: number): Promise<Uint8Array> => {
    ranges.push({ start, end });
    return bytes.slice(start, end);
  };
  return {
    uri: "https://example.com/some.arrow",
    ranges,
    slice,
    tail: (numBytes) => slice(Math.max(0, bytes.length - numBytes), bytes.length),
    stream() {
      throw new Error("a whole file was asked for");
    },
  };
}

async function all(batches: AsyncIterable<RecordBatch>): Promise<RecordBatch[]> {
  const found: RecordBatch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

describe("reading bytes", () => {
  test("borrows the bytes of a source in memory", async () => {
    const { batches } = await readBatches(arrow, [bytesSource(file, "file")], { batchSize: 250 });
    expect(batches).toHaveLength(4);
    for (const { data } of batches) {
      for (const column of [0, 1])
        expect((data.children[column]!.values as Float64Array).buffer).toBe(file.buffer);
    }
  });

  test("yields slices with their own counts of nulls", async () => {
    const some = rows.map((row, index) => ({ ...row, score: index % 7 === 0 ? null : 1 }));
    const bytes = await written(some, { batchRows: 400 });
    const { batches } = await readBatches(arrow, [bytesSource(bytes, "nulls")], { batchSize: 33 });
    let first = 0;
    for (const { numRows, data } of batches) {
      const expected = some.slice(first, first + numRows).filter(({ score }) => score === null).length;
      expect(data.children[1]!.nullCount).toBe(expected);
      first += numRows;
    }
    expect(first).toBe(1000);
  });

  test("requests the record batch of a part, and less than 1 KiB more", async () => {
    const source = rangeSource(file);
    const reader = await arrow.open([source]);
    const plan = await reader.plan();
    const parts = await plan.subdivide!(plan.splits[0]!);
    expect(parts).toHaveLength(4);
    source.ranges.length = 0;
    const found = await all(plan.read(parts[2]!));
    expect(found.map(({ numRows }) => numRows)).toEqual([250]);
    expect(found[0]!.getChild("id")!.get(0)).toBe(500n);
    const { start, end } = parts[2]!;
    expect(source.ranges).toContainEqual({ start, end });
    const numBytes = source.ranges.reduce((sum, range) => sum + range.end - range.start, 0);
    // The rest is the dictionary.
    expect(numBytes - (end! - start!)).toBeLessThan(1024);
  });

  test("counts row positions in a part from the start of its file", async () => {
    const reader = await arrow.open([rangeSource(file)]);
    const plan = await reader.plan({ rowPositionColumn: "row", columns: [] });
    const parts = await plan.subdivide!(plan.splits[0]!);
    const [batch] = await all(plan.read(parts[2]!));
    expect([...batch!.getChild("row")!].slice(0, 2)).toEqual([500n, 501n]);
  });

  test("does not request the values of columns that are not read", async () => {
    const wide = rows.map((row) => ({ ...row, word: "x".repeat(1000) }));
    const source = rangeSource(await written(wide, { batchRows: 250 }));
    const reader = await arrow.open([source]);
    const plan = await reader.plan({ columns: [ColumnPath.of("id")] });
    source.ranges.length = 0;
    const found = await all(plan.read(plan.splits[0]!));
    expect(found.flatMap((batch) => [...batch.getChild("id")!]).length).toBe(1000);
    expect(found[0]!.schema.names).toEqual(["id"]);
    const numBytes = source.ranges.reduce((sum, range) => sum + range.end - range.start, 0);
    expect(numBytes).toBeLessThan(1000 * 8 + 4 * 4096);
  });

  test("reads a single field of a struct on request", async () => {
    const { batches } = await readBatches(arrow, [bytesSource(file, "file")], {
      columns: [ColumnPath.of("point", "x")],
    });
    expect(String(batches[0]!.schema.fields[0]!.type)).toBe("Struct<{x:Int32}>");
    expect(batches[0]!.get(3)!.toJSON()["point"]).toMatchObject({ x: 3 });
  });
});

test("a column path traverses lists to the fields of their structs", async () => {
  const item = new Struct([new Field("x", new Int32(), true), new Field("y", new Utf8(), true)]);
  const type = new List(new Field("item", item, true));
  const arrowSchema = new ArrowSchema([new Field("points", type, true)]);
  const points = vectorFromArray([[{ x: 1, y: "a" }], null, [{ x: 2, y: "b" }, null]] as never[], type);
  const bytes = await writeBatches(arrowSchema, [recordBatchOf(arrowSchema, 3, points.data)]);
  const columns = [ColumnPath.of("points", "x")];
  const { batches } = await readBatches(arrow, [bytesSource(bytes, "points")], { columns });
  expect(String(batches[0]!.schema.fields[0]!.type)).toBe("List<Struct<{x:Int32}>>");
  expect(JSON.stringify(batches[0]!.toArray())).toBe(
    JSON.stringify([{ points: [{ x: 1 }] }, { points: null }, { points: [{ x: 2 }, null] }]),
  );
});

describe("a pipe", () => {
  const pieces = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.slice(at, at + 1000);
  };
  const numRowsOf = async (bytes: Uint8Array): Promise<number> => {
    const reader = await arrow.openStream!(pieces(bytes));
    const plan = await reader.plan();
    let numRows = 0;
    try {
      for await (const batch of plan.read(plan.splits[0]!)) numRows += batch.numRows;
    } catch (error) {
      throw Object.assign(error as Error, { numRows });
    } finally {
      await reader.close();
    }
    return numRows;
  };

  test("may carry a stream or a file", async () => {
    expect(await numRowsOf(stream)).toBe(1000);
    expect(await numRowsOf(file)).toBe(1000);
  });

  test("without an end marker is reported as truncated after the received rows", async () => {
    const cut = stream.slice(0, -8);
    await expect(numRowsOf(cut)).rejects.toMatchObject({
      code: "truncated-record",
      reason: "end-marker",
      byteOffset: cut.length,
      numRows: 1000,
    });
    // According to the specification, a stream in a file need not have an end marker.
    const { batches } = await readBatches(arrow, [bytesSource(cut, "cut.arrows")]);
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(1000);
  });

  test("is not read beyond the end marker, even if it stays open", async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield stream;
      await new Promise(() => {});
    };
    const reader = await arrow.openStream!(endless());
    const plan = await reader.plan();
    expect(await all(plan.read(plan.splits[0]!))).toHaveLength(1);
    await reader.close();
  });
});

describe("files with different columns", () => {
  const other = new Table({ id: vectorFromArray([1, 2], new Float64()) });
  const bytes = RecordBatchStreamWriter.writeAll(other).toUint8Array(true);

  test("keep their own columns if no schema is given", async () => {
    const { batches, arrowSchema } = await readBatches(arrow, [
      bytesSource(file, "a"),
      bytesSource(bytes, "b"),
    ]);
    expect(arrowSchema).toBeUndefined();
    expect(batches.map(({ schema }) => schema.fields.length)).toEqual([7, 1]);
  });

  test("are rejected if a schema is given and a type does not match it", async () => {
    const schema = parseSchemaText('feature { name: "id" type: INT }');
    const reading = readBatches(arrow, [bytesSource(file, "a"), bytesSource(bytes, "b")], { schema });
    await expect(reading).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "batch-schema",
      columnPath: "id",
      uri: "b",
    });
  });

  test('may have columns that a schema does not list, unless `unlisted` is "error"', async () => {
    const schema = parseSchemaText('feature { name: "id" type: INT } feature { name: "none" type: FLOAT }');
    const { batches } = await readBatches(arrow, [bytesSource(file, "a")], { schema, batchSize: 10 });
    expect(batches[0]!.schema.names).toEqual(["id", "none"]);
    expect(batches[0]!.schema.fields[0]!.type).toBeInstanceOf(Int64);
    expect(batches[0]!.data.children[1]!.nullCount).toBe(10);
    const strict = readBatches(arrow, [bytesSource(file, "a")], { schema, unlisted: "error" });
    await expect(strict).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "unlisted-feature",
      columnPath: "score",
      uri: "a",
    });
  });
});

test('a field in a struct within a list is rejected if the schema does not list it and `unlisted` is "error"', async () => {
  const item = new Struct([new Field("known", new Utf8()), new Field("unknown", new Utf8())]);
  const items = vectorFromArray([[{ known: "a", unknown: "b" }]], new List(new Field("item", item)));
  const schema = parseSchemaText(
    'feature { name: "items" type: STRUCT struct_domain { feature { name: "known" type: BYTES } } }',
  );
  const strict = readBatches(arrow, [bytesSource(tableToIPC(new Table({ items })), "a")], {
    schema,
    unlisted: "error",
  });
  await expect(strict).rejects.toMatchObject({ reason: "unlisted-feature", columnPath: "items.unknown" });
});

test("inputs above a limit are rejected, but accepted if the limit is raised", async () => {
  const open = async (limits: object): Promise<number> => {
    const reader = await arrow.open([bytesSource(file, "file")], { limits });
    const plan = await reader.plan();
    return (await all(plan.read(plan.splits[0]!))).length;
  };
  await expect(open({ maxPageBytes: 1000 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "page-length",
    message: expect.stringMatching(
      /At byte \d+ of file, .+ has \d+ bytes, but the limit maxPageBytes is 1000\.$/,
    ),
  });
  await expect(open({ maxMetadataBytes: 100 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "metadata-length",
  });
  expect(await open({ maxPageBytes: 100_000, maxMetadataBytes: 10_000 })).toBe(1);
});

test("write options are rejected when reading", async () => {
  const error: unknown = await arrow
    .open([bytesSource(file, "file")], { options: { compression: "lz4" } })
    .catch((e: unknown) => e);
  expect(isTfxioError(error, "invalid-argument")).toBe(true);
});

test("dictionary ids beyond 2^53 are rejected, because two of them could round to the same number", async () => {
  const streamOf = (id: number): Uint8Array => {
    const values = vectorFromArray(["a", "b", "a"], new Dictionary(new Utf8(), new Int32(), id));
    return RecordBatchStreamWriter.writeAll(new Table({ values })).toUint8Array(true);
  };
  const read = (id: number): Promise<unknown> => readBatches(arrow, [bytesSource(streamOf(id), "stream")]);
  await expect(read(2 ** 53 - 1)).resolves.toBeDefined();
  await expect(read(2 ** 53 + 2)).rejects.toMatchObject({
    code: "malformed-payload",
    message: expect.stringContaining("dictionary id must be from -(2^53 - 1) to 2^53 - 1"),
  });
});

test("a split that does not belong to the file is rejected", async () => {
  const reader = await arrow.open([bytesSource(file, "file")]);
  const plan = await reader.plan();
  const strange = { ...plan.splits[0]!, detail: { first: 3, end: 9 } };
  await expect(all(plan.read(strange))).rejects.toMatchObject({
    code: "invalid-argument",
    reason: "unknown-split",
  });
});

describe("a request with a schema and columns", () => {
  const people = parseSchemaText(`
    feature { name: "id" type: INT }
    feature { name: "point" type: STRUCT struct_domain { feature { name: "y" type: FLOAT } feature { name: "x" type: INT } } }`);
  const read = (path: readonly string[]): Promise<string> =>
    readBatches(arrow, [bytesSource(file, "a")], { schema: people, columns: [new ColumnPath(path)] }).then(
      ({ batches }) => String(batches[0]!.schema),
    );

  test("selects the fields that are in the schema and at or below a requested path", async () => {
    expect(await read(["point", "x"])).toBe("Schema<{ 0: point: Struct<{x:Int32}> }>");
    expect(await read(["point"])).toBe("Schema<{ 0: point: Struct<{x:Int32, y:Float64}> }>");
    expect(await read(["id"])).toBe("Schema<{ 0: id: Int64 }>");
  });

  test.each(["city", "point.z", "id.x"])("rejects the path %s outside the schema", async (columnPath) => {
    await expect(read(columnPath.split("."))).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "unknown-column",
      columnPath,
    });
  });
});

test("joinBatches: false keeps the boundaries of stored batches, and is rejected when writing", async () => {
  for (const bytes of [file, stream]) {
    const reader = await arrow.open([bytesSource(bytes, "rows")], { options: { joinBatches: false } });
    const plan = await reader.plan({ batchSize: 200 });
    const batches = await all(plan.read(plan.splits[0]!));
    expect(batches.map(({ numRows }) => numRows)).toEqual([200, 50, 200, 50, 200, 50, 200, 50]);
  }
  await expect(
    written(rows.slice(0, 1), { batchRows: 1, options: { joinBatches: false } }),
  ).rejects.toMatchObject({
    code: "invalid-argument",
  });
});
