import { describe, expect, test } from "@jest/globals";
import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { type ExampleOptions, tfrecord, type TfRecordOptions } from "@tfxio/formats-tfrecord";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { bytesSource, encodeTfRecords, memoryTarget } from "@tfxio/wire";
import {
  Bool,
  DateDay,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Table,
  vectorFromArray,
} from "apache-arrow";

/** Creates a batch of rows `{ id: [n], tag }`, where `tag` is null for even n and `[]` for odd n. */
function batchOf(...ids: readonly number[]): RecordBatch {
  return createExampleDecoder().decode(
    ids.map((id) =>
      encodeExample({
        id: { kind: "int64", values: [id] },
        tag: id % 2 === 0 ? null : { kind: "bytes", values: [] },
      }),
    ),
  );
}

interface Written {
  readonly uri?: string;
  readonly arrowSchema?: ArrowSchema;
  readonly schema?: Schema;
  readonly options?: Partial<TfRecordOptions & ExampleOptions>;
}

/** Writes batches to a file in memory. Returns its bytes. */
async function write(
  batches: readonly RecordBatch[],
  { uri = "a.tfrecord", arrowSchema = batches[0]!.schema, schema, options }: Written = {},
): Promise<Uint8Array> {
  const target = memoryTarget(uri);
  const writer = await tfrecord.createWriter(target, { arrowSchema, schema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

describe("the TFRecord writer", () => {
  test("compresses if the target's name ends with .gz, unless an option sets the compression", async () => {
    const compressionOf = async (uri: string, options = {}): Promise<string> => {
      const head = (await write([batchOf(0)], { uri, options })).subarray(0, 2);
      return { "1f8b": "gzip", "789c": "zlib" }[Buffer.from(head).toString("hex")] ?? "none";
    };
    expect(await compressionOf("a.tfrecord")).toBe("none");
    expect(await compressionOf("a.tfrecord.gz")).toBe("gzip");
    expect(await compressionOf("b.gz", { compression: "none" })).toBe("none");
    expect(await compressionOf("b", { compression: "zlib" })).toBe("zlib");
  });

  test("writes an empty file if there is no batch", async () => {
    expect(await write([], { arrowSchema: batchOf(0).schema })).toEqual(new Uint8Array());
  });

  test("keeps null distinct from an empty list", async () => {
    const expected = await encodeTfRecords([
      encodeExample({ id: { kind: "int64", values: [0] }, tag: null }),
      encodeExample({ id: { kind: "int64", values: [1] }, tag: { kind: "bytes", values: [] } }),
    ]);
    expect(await write([batchOf(0, 1)])).toEqual(expected);
  });

  test("frames the records of several batches in order", async () => {
    const records = [0, 2, 4].map((id) => encodeExample({ id: { kind: "int64", values: [id] } }));
    expect(await write([batchOf(0, 2), batchOf(4)])).toEqual(await encodeTfRecords(records));
  });

  test("omits columns of type Null", async () => {
    const record = encodeExample({ id: { kind: "int64", values: [0] }, tag: null });
    const batch = createExampleDecoder().decode([record]);
    expect(batch.schema.fields.map(String)).toEqual(["id: List<Int64>", "tag: Null"]);
    const bytes = await write([batch]);
    expect(bytes).toEqual(await encodeTfRecords([encodeExample({ id: { kind: "int64", values: [0] } })]));
  });

  test("rejects a batch in which two columns have the same name", async () => {
    const type = new List(new Field("item", new Int64(), true));
    const fields = [new Field("x", type, true), new Field("x", type, true)];
    const column = makeData({
      type,
      length: 1,
      valueOffsets: Int32Array.of(0, 0),
      child: makeData({ type: new Int64() }),
    });
    const rows = makeData({ type: new Struct(fields), length: 1, nullCount: 0, children: [column, column] });
    const twice = new RecordBatch(new ArrowSchema(fields), rows);
    await expect(write([twice])).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "duplicate-column",
    });
  });

  test("rejects a batch whose schema differs from the writer's", async () => {
    const other = createExampleDecoder().decode([encodeExample({ n: { kind: "int64", values: [1] } })]);
    await expect(write([batchOf(1), other])).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "batch-schema",
      expected: "id: List<Int64>",
      actual: "n: List<Int64>",
    });
  });

  test("writes a nested column by its ragged representation in the schema; without a schema, it rejects the column", async () => {
    const schema = parseSchemaText(`
      feature { name: "v" type: INT } feature { name: "n" type: INT }
      tensor_representation_group { key: "" value { tensor_representation { key: "r" value { ragged_tensor {
        feature_path { step: "v" } partition { row_length: "n" } } } } } }`);
    const inner = new List(new Field("item", new Int64(), true));
    const type = new List(new Field("item", inner, true));
    const fields = [new Field("r", type, true)];
    const values = makeData({ type: new Int64(), data: BigInt64Array.of(1n, 2n, 3n) });
    const lists = makeData({ type: inner, valueOffsets: Int32Array.of(0, 1, 3), child: values });
    const column = makeData({ type, valueOffsets: Int32Array.of(0, 2), child: lists });
    const rows = makeData({ type: new Struct(fields), length: 1, children: [column] });
    const batch = new RecordBatch(new ArrowSchema(fields), rows);
    const bytes = await write([batch], { schema });
    const reader = await tfrecord.open([bytesSource(bytes)]);
    const plan = await reader.plan({ schema });
    for await (const read of plan.read(plan.splits[0]!)) {
      expect(read.toArray().map(String)).toEqual(['{"v": ["1","2","3"], "n": ["1","2"]}']);
    }
    await reader.close();
    await expect(write([batch])).rejects.toMatchObject({ code: "schema-mismatch" });
  });

  test("writes booleans and dates as int64 values, and null as an unset feature", async () => {
    const columns = {
      flag: vectorFromArray([true, null], new Bool()),
      day: vectorFromArray([new Date("2024-02-29"), null], new DateDay()),
      flags: vectorFromArray([[true, false], []], new List(new Field("item", new Bool(), true))),
      nothing: vectorFromArray([null, null], new Null()),
    };
    const [batch] = new Table(columns).batches;
    const day = Date.parse("2024-02-29") / 86_400_000;
    const expected = await encodeTfRecords([
      encodeExample({
        flag: { kind: "int64", values: [1] },
        day: { kind: "int64", values: [day] },
        flags: { kind: "int64", values: [1, 0] },
      }),
      encodeExample({ flag: null, day: null, flags: { kind: "int64", values: [] } }),
    ]);
    expect(await write([batch!])).toEqual(expected);
  });

  test("rejects a float64 value that float32 cannot hold exactly, and names the column and row", async () => {
    const [batch] = new Table({ x: vectorFromArray([0.5, 0.1], new Float64()) }).batches;
    await expect(write([batch!])).rejects.toMatchObject({
      code: "out-of-range",
      reason: "float32-inexact",
      columnPath: "x",
      row: 1,
    });
  });

  test("rejects a batch argument that is not a batch, and a schema argument that is not a schema", async () => {
    const { schema } = batchOf(0);
    for (const batch of [null, undefined, "batch", 7, {}]) {
      await expect(write([batch as never], { arrowSchema: schema })).rejects.toMatchObject({
        code: "invalid-argument",
        argument: "batch",
      });
    }
    await expect(write([batchOf(0)], { schema: {} as Schema })).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "schema",
    });
  });

  test("rejects options that do not apply to writing", async () => {
    const unused = [{ verifyPayloadCrc: false }, { onMalformed: "skip" }, { listType: "large" }] as const;
    for (const options of unused) {
      await expect(write([batchOf(0)], { options })).rejects.toMatchObject({
        code: "invalid-argument",
        argument: Object.keys(options)[0],
      });
    }
  });
});
