import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createExampleDecoder, encodeExample } from "@tfxio/arrow-encoding";
import { tfrecord } from "@tfxio/formats-tfrecord";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { encodeTfRecords, openSources } from "@tfxio/wire";
import { Field, Int64, List, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-write-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const target = (name: string): string => path.join(folder, name);

/** A batch of rows `{ id: [n], tag: null or [] }`. */
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

async function* stream(...batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch, void, undefined> {
  for (const batch of batches) yield await Promise.resolve(batch);
}

async function idsOf(uri: string): Promise<bigint[]> {
  const reader = await tfrecord.open(await openSources(uri));
  const plan = await reader.plan();
  const ids: bigint[] = [];
  for (const split of plan.splits) {
    for await (const batch of plan.read(split)) {
      for (const row of batch)
        ids.push((row["id"] as Iterable<bigint>)[Symbol.iterator]().next().value as bigint);
    }
  }
  await reader.close();
  return ids;
}

describe("tfrecord.write", () => {
  test("deals records out to shards in turn, named as TFX names them", async () => {
    const summary = await tfrecord.write(
      stream(batchOf(0, 1, 2), batchOf(3, 4)),
      target("data.tfrecord.gz"),
      {
        options: { numShards: 2 },
      },
    );
    expect(readdirSync(folder).sort()).toEqual([
      "data.tfrecord-00000-of-00002.gz",
      "data.tfrecord-00001-of-00002.gz",
    ]);
    expect(summary.numRows).toBe(5);
    expect(await idsOf(summary.uris[0] as string)).toEqual([0n, 2n, 4n]);
    expect(await idsOf(summary.uris[1] as string)).toEqual([1n, 3n]);
  });

  test("compresses by the target's name unless told otherwise", async () => {
    const compressionOf = async (name: string, options = {}): Promise<string> => {
      await tfrecord.write(stream(batchOf(0)), target(name), { options });
      const [source] = await openSources(target(name));
      const head = await source?.slice(0, 2);
      return { "1f8b": "gzip", "789c": "zlib" }[Buffer.from(head ?? []).toString("hex")] ?? "none";
    };
    expect(await compressionOf("a.tfrecord")).toBe("none");
    expect(await compressionOf("a.tfrecord.gz")).toBe("gzip");
    expect(await compressionOf("b.gz", { compression: "none" })).toBe("none");
    expect(await compressionOf("b", { compression: "zlib" })).toBe("zlib");
  });

  test("writes an empty file for no batches, and keeps null apart from an empty list", async () => {
    const empty = await tfrecord.write(stream(), target("empty"), {});
    expect(empty).toEqual({ uris: [target("empty")], numRows: 0, numBytes: 0 });
    await tfrecord.write(stream(batchOf(0, 1)), target("two"), {});
    const written = await openSources(target("two"));
    const bytes = await written[0]?.slice(0, written[0].byteLength ?? 0);
    const expected = await encodeTfRecords([
      encodeExample({ id: { kind: "int64", values: [0] }, tag: null }),
      encodeExample({ id: { kind: "int64", values: [1] }, tag: { kind: "bytes", values: [] } }),
    ]);
    expect(bytes).toEqual(expected);
  });

  test("leaves nothing behind when a batch cannot be encoded, or when cancelled", async () => {
    const type = new List(new Field("item", new Int64(), true));
    const fields = [new Field("x", type, true), new Field("x", type, true)];
    const column = makeData({ type, valueOffsets: Int32Array.of(0), child: makeData({ type: new Int64() }) });
    const rows = makeData({ type: new Struct(fields), length: 0, children: [column, column] });
    const twice = new RecordBatch(new ArrowSchema(fields), rows);
    await expect(tfrecord.write(stream(batchOf(0), twice), target("a"), {})).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "duplicate-column",
    });
    const controller = new AbortController();
    async function* cancelling(): AsyncGenerator<RecordBatch, void, undefined> {
      yield await Promise.resolve(batchOf(0));
      controller.abort("enough");
      yield batchOf(1);
    }
    await expect(tfrecord.write(cancelling(), target("b"), { signal: controller.signal })).rejects.toBe(
      "enough",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("writes nested columns as the ragged representations of the schema say", async () => {
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
    await tfrecord.write(stream(batch), target("nested"), { schema });
    const reader = await tfrecord.open(await openSources(target("nested")));
    const plan = await reader.plan({ schema });
    for await (const read of plan.read(plan.splits[0]!)) {
      expect(read.toArray().map(String)).toEqual(['{"v": ["1","2","3"], "n": ["1","2"]}']);
    }
    await reader.close();
    await expect(tfrecord.write(stream(batch), target("flat"), {})).rejects.toMatchObject({
      code: "schema-mismatch",
    });
  });

  test("refuses what are no batches, and a schema that is none", async () => {
    for (const batches of [null, undefined, "batches", 7]) {
      await expect(tfrecord.write(batches as never, target("a"))).rejects.toMatchObject({
        code: "invalid-argument",
        argument: "batches",
      });
    }
    await expect(tfrecord.write(stream({} as RecordBatch), target("a"))).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "batches",
    });
    await expect(
      tfrecord.write(stream(batchOf(0)), target("a"), { schema: {} as Schema }),
    ).rejects.toMatchObject({ code: "invalid-argument", argument: "schema" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("refuses options that have nothing to act on in writing", async () => {
    const unused = [{ verifyPayloadCrc: false }, { onMalformed: "skip" }, { listType: "large" }] as const;
    for (const options of unused) {
      await expect(tfrecord.write(stream(batchOf(0)), target("a"), { options })).rejects.toMatchObject({
        code: "invalid-argument",
        argument: Object.keys(options)[0],
      });
    }
  });

  test.each([0, 1.5, 100_000, "2"])("refuses %p shards", async (numShards) => {
    await expect(
      tfrecord.write(stream(batchOf(0)), target("a"), { options: { numShards: numShards as number } }),
    ).rejects.toMatchObject({ code: "invalid-argument", argument: "numShards" });
    expect(readdirSync(folder)).toEqual([]);
  });
});
