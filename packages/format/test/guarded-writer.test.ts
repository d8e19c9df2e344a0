import { describe, expect, test } from "@jest/globals";
import { type BatchWriter, defineFormat, type WriterOptions } from "@tfxio/format";
import { type ByteTarget, memoryTarget } from "@tfxio/wire";
import { type RecordBatch, Schema as ArrowSchema, tableFromArrays } from "apache-arrow";

interface Options {
  readonly separator: string;
}

/** Returns a format whose writer records its calls. */
function noting(calls: unknown[], writer: Partial<BatchWriter> = {}) {
  return defineFormat<Options>({
    id: "noting",
    extensions: [],
    defaults: { separator: "," },
    contractVersion: 2,
    open: async () => ({ plan: async () => ({ splits: [], async *read() {} }) }),
    createWriter: async (target, { arrowSchema, schema, options }) => {
      calls.push(["create", target.uri, arrowSchema.names, schema, options]);
      return {
        write: async (batch) => void calls.push(["write", batch.numRows]),
        finish: async () => void calls.push(["finish"]),
        ...writer,
      };
    },
  });
}

const batchOf = (columns: Record<string, number[]>): RecordBatch => tableFromArrays(columns).batches[0]!;
const batch = batchOf({ a: [1, 2], b: [3, 4] });
const { schema: arrowSchema } = batch;

describe("createWriter", () => {
  test("passes the target, schema, options and batches to the format, but no empty batches", async () => {
    const calls: unknown[] = [];
    const target = memoryTarget("some");
    const writer = await noting(calls).createWriter(target, { arrowSchema, options: { separator: ";" } });
    await writer.write(batch);
    await writer.write(batch.slice(0, 0));
    await writer.write(batch.slice(1));
    await writer.finish();
    expect(calls).toEqual([
      ["create", "some", ["a", "b"], undefined, { separator: ";" }],
      ["write", 2],
      ["write", 1],
      ["finish"],
    ]);
  });

  test.each<[string, unknown, string]>([
    ["an undefined target", undefined, "target"],
    ["a path instead of a target", "some/path", "target"],
    ["a target that cannot be discarded", { uri: "a", write() {}, commit() {} }, "target"],
  ])("rejects %s", async (_, target, argument) => {
    const created = noting([]).createWriter(target as ByteTarget, { arrowSchema });
    await expect(created).rejects.toMatchObject({ code: "invalid-argument", argument });
  });

  test.each<[string, object, object]>([
    [
      "options without an arrowSchema",
      {},
      {
        argument: "arrowSchema",
        message: "[invalid-argument] noting: arrowSchema must be an Arrow Schema, found undefined.",
      },
    ],
    [
      "format options that are not an object",
      { arrowSchema, options: 5 },
      { argument: "options", message: "[invalid-argument] noting: options must be an object, found 5." },
    ],
    ["an option that the format lacks", { arrowSchema, options: { width: 1 } }, { reason: "unknown-option" }],
    ["a key that createWriter does not accept", { arrowSchema, limits: {} }, { reason: "unknown-option" }],
  ])("rejects %s", async (_, options, error) => {
    const created = noting([]).createWriter(memoryTarget("a"), options as WriterOptions<Options>);
    await expect(created).rejects.toMatchObject({ code: "invalid-argument", ...error });
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["an empty object", {}],
    ["a list of batches", [batch]],
  ])("returns a writer that rejects %s in place of a batch", async (_, given) => {
    const writer = await noting([]).createWriter(memoryTarget("a"), { arrowSchema });
    await expect(writer.write(given as never)).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "batch",
    });
  });

  test.each<[string, RecordBatch, object]>([
    [
      "a different column name",
      batchOf({ a: [1], c: [2] }),
      { expected: "b: Float64", actual: "c: Float64" },
    ],
    [
      "a different column order",
      batchOf({ b: [1], a: [2] }),
      { expected: "a: Float64", actual: "b: Float64" },
    ],
    ["one column too few", batchOf({ a: [1] }), { expected: "b: Float64", actual: undefined }],
    [
      "one column too many",
      batchOf({ a: [1], b: [2], c: [3] }),
      {
        expected: undefined,
        actual: "c: Float64",
        message: expect.stringContaining(
          "only the columns of the writer's schema, found the additional column 2, c: Float64.",
        ),
      },
    ],
    [
      "a different column type",
      tableFromArrays({ a: Int32Array.of(1), b: [2] }).batches[0]!,
      { expected: "a: Float64", actual: "a: Int32" },
    ],
  ])("returns a writer that rejects a batch with %s", async (_, other, error) => {
    const calls: unknown[] = [];
    const writer = await noting(calls).createWriter(memoryTarget("a"), { arrowSchema });
    await writer.write(batch);
    await expect(writer.write(other)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "batch-schema",
      ...error,
    });
    expect(calls.slice(1)).toEqual([["write", 2]]);
  });

  test("returns a writer that accepts batches whose columns differ from the schema only in nullability", async () => {
    const fields = arrowSchema.fields.map((field) => field.clone({ nullable: !field.nullable }));
    const writer = await noting([]).createWriter(memoryTarget("a"), { arrowSchema: new ArrowSchema(fields) });
    await expect(writer.write(batch)).resolves.toBeUndefined();
  });

  test("returns a writer that rejects every call after finish, even if finish failed", async () => {
    const failing = async (): Promise<void> => {
      throw new TypeError("disk full");
    };
    for (const change of [{}, { finish: failing }]) {
      const writer = await noting([], change).createWriter(memoryTarget("a"), { arrowSchema });
      await writer.finish().catch(() => {});
      const finished = { code: "invalid-argument", reason: "writer-finished" };
      await expect(writer.write(batch)).rejects.toMatchObject(finished);
      await expect(writer.finish()).rejects.toMatchObject(finished);
    }
  });

  test("rejects with the reason of an aborted signal, and so do an aborted write and every call after it", async () => {
    const before = noting([]).createWriter(memoryTarget("a"), {
      arrowSchema,
      signal: AbortSignal.abort("early"),
    });
    await expect(before).rejects.toBe("early");
    const controller = new AbortController();
    const calls: unknown[] = [];
    const write = async (): Promise<void> => controller.abort("enough");
    const { signal } = controller;
    const writer = await noting(calls, { write }).createWriter(memoryTarget("a"), { arrowSchema, signal });
    await expect(writer.write(batch)).rejects.toBe("enough");
    await expect(writer.write(batch)).rejects.toBe("enough");
    await expect(writer.finish()).rejects.toBe("enough");
    expect(calls).toHaveLength(1);
  });
});
