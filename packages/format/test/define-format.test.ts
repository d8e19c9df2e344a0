import { describe, expect, test } from "@jest/globals";
import {
  CONTRACT_VERSION,
  defineFormat,
  type FormatReader,
  type FormatReads,
  type FormatSpec,
  MIN_CONTRACT_VERSION,
  type ReadPlan,
  type ReadRequest,
} from "@tfxio/format";
import { ColumnPath } from "@tfxio/schema";
import type { ByteSource } from "@tfxio/wire";
import { RecordBatch, tableFromArrays } from "apache-arrow";

const source: ByteSource = {
  uri: "memory",
  slice: async () => new Uint8Array(),
  async *stream() {},
};

/** Declares every optional read except random access. */
const EVERYTHING: FormatReads = {
  filter: "rows",
  rawRecordColumn: true,
  rowPositionColumn: true,
  subdivide: true,
  shuffle: true,
  batchBytes: true,
  columnForm: true,
};

const emptyReader: FormatReader = { plan: async () => ({ splits: [], async *read() {} }) };

function spec(changes: Partial<FormatSpec<{ width: number }>> = {}): FormatSpec<{ width: number }> {
  return {
    id: "toy",
    extensions: [".toy"],
    defaults: { width: 8 },
    contractVersion: 2,
    open: async () => emptyReader,
    ...changes,
  };
}

describe("defineFormat", () => {
  test("returns a frozen format with the current contract version", () => {
    const format = defineFormat(spec());
    expect(format).toMatchObject({
      contractVersion: 2,
      id: "toy",
      extensions: [".toy"],
      defaults: { width: 8 },
      columnForm: "stored",
      reads: {},
    });
    expect(Object.isFrozen(format)).toBe(true);
    expect(Object.isFrozen(format.reads)).toBe(true);
    expect(format.sniff).toBeUndefined();
    expect(format.openStream).toBeUndefined();
    expect(format.createWriter).toBeUndefined();
  });

  test.each<[string, Partial<FormatSpec<{ width: number }>>]>([
    ["an id in camel case", { id: "myToy" }],
    ["an empty id", { id: "" }],
    ["an extension without its dot", { extensions: ["toy"] }],
    ["an extension in upper case", { extensions: [".TOY"] }],
    ["the same extension twice", { extensions: [".toy", ".toy"] }],
    ["no extensions", { extensions: undefined as never }],
    ["no defaults", { defaults: undefined as never }],
    ["no open function", { open: undefined as never }],
    ["a sniff that is not a function", { sniff: "toy" as never }],
    ["an openStream that is not a function", { openStream: {} as never }],
    ["a createWriter that is not a function", { createWriter: true as never }],
    ["an unknown column form", { columnForm: "flat" as never }],
    ["a value of `reads` that is not an object", { reads: true as never }],
    ["an unknown member of `reads`", { reads: { sort: true } as never }],
    ["a member of `reads` named toString", { reads: { toString: true } as never }],
    ["an unknown kind of filter", { reads: { filter: true as never } }],
    ["a member of `reads` that is not true", { reads: { shuffle: false as never } }],
  ])("rejects a definition with %s", (_, changes) => {
    expect(() => defineFormat(spec(changes))).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test.each([undefined, null, 5])("rejects %j as a definition", (given) => {
    expect(() => defineFormat(given as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test("makes `open` reject a value that is not a source", async () => {
    await expect(defineFormat(spec()).open(["file.toy"] as never)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "source-type",
    });
  });

  test.each<[string, string, object]>([
    ["id", 'id must be a kebab-case name such as "my-format", found "myToy".', { id: "myToy" }],
    ["open", "toy: open must be a function, found undefined.", { open: undefined }],
    ["sniff", 'toy: sniff must be a function, found "toy".', { sniff: "toy" }],
    ["module", "toy: module must be a string, found 5.", { module: 5 }],
    ["columnForm", 'toy: columnForm must be "stored" or "lists", found "flat".', { columnForm: "flat" }],
    ["defaults", "toy: defaults must be an object, found an empty list.", { defaults: [] }],
    ["extensions", 'toy: extensions must be a list, found ".toy".', { extensions: ".toy" }],
    [
      "extensions",
      'toy: extensions[1] must be a lower-case extension that begins with a dot, such as ".csv", found "toy".',
      { extensions: [".toy", "toy"] },
    ],
    [
      "extensions",
      'toy: extensions[0] must be a lower-case extension that begins with a dot, such as ".csv", found undefined.',
      { extensions: [undefined] },
    ],
    ["reads", "toy: reads must be an object, found true.", { reads: true }],
    ["reads", 'toy: reads.filter must be "splits" or "rows", found "all".', { reads: { filter: "all" } }],
    ["reads", "toy: reads.shuffle must be true, found false.", { reads: { shuffle: false } }],
    [
      "reads",
      'toy: reads.subdivide must be true if reads.randomAccess is "parts".',
      { reads: { randomAccess: "parts" } },
    ],
    [
      "reads",
      'toy: reads has an unknown member "sort", but may only have filter, rawRecordColumn, rowPositionColumn, subdivide, shuffle, batchBytes, randomAccess, columnForm.',
      { reads: { sort: true } },
    ],
  ])("names the member `%s` in the message: %s", (argument, message, changes) => {
    expect(() => defineFormat(spec(changes))).toThrow(
      expect.objectContaining({ argument, message: `[invalid-argument] ${message}` }),
    );
  });

  test("treats an undefined member of `reads` as absent", () => {
    expect(defineFormat(spec({ reads: { shuffle: undefined } })).reads.shuffle).toBeUndefined();
  });

  test("accepts every contract version from the oldest supported version to the current one", () => {
    for (let version = MIN_CONTRACT_VERSION; version <= CONTRACT_VERSION; version++) {
      expect(defineFormat(spec({ contractVersion: version })).contractVersion).toBe(version);
    }
    expect(MIN_CONTRACT_VERSION).toBe(2);
    expect(CONTRACT_VERSION).toBe(2);
  });

  test.each([0, 1, 3, Number.NaN, undefined, "2"])(
    "rejects a format written for version %j of the contract",
    (contractVersion) => {
      expect(() => defineFormat(spec({ contractVersion: contractVersion as number }))).toThrow(
        expect.objectContaining({
          code: "invalid-argument",
          reason: "contract-version",
          argument: "contractVersion",
        }),
      );
    },
  );

  test("fills in defaults for options, limits and the batch size", async () => {
    const seen: unknown[] = [];
    const format = defineFormat(
      spec({
        open: async (_, { options, limits }) => {
          seen.push(options, limits);
          return {
            plan: async ({ batchSize }) => {
              seen.push(batchSize);
              return { splits: [], async *read() {} };
            },
          };
        },
      }),
    );
    await (await format.open([source], { options: { width: undefined as never } })).plan();
    await (await format.open([source], { options: { width: 3 }, limits: { maxRecordBytes: 10 } })).plan({
      batchSize: 5,
    });
    expect(seen).toEqual([
      { width: 8 },
      { maxRecordBytes: 2 ** 26, maxMetadataBytes: 2 ** 28, maxPageBytes: 2 ** 30, maxColumns: 100_000 },
      4096,
      { width: 3 },
      { maxRecordBytes: 10, maxMetadataBytes: 2 ** 28, maxPageBytes: 2 ** 30, maxColumns: 100_000 },
      5,
    ]);
  });

  test.each<[string, object, string]>([
    ["an option that the format lacks", { options: { height: 1 } }, "height"],
    ["an unknown limit", { limits: { maxRows: 1 } }, "maxRows"],
    ["a limit of zero", { limits: { maxRecordBytes: 0 } }, "maxRecordBytes"],
    ["a limit that is not an integer", { limits: { maxMetadataBytes: 1.5 } }, "maxMetadataBytes"],
    ["a limit that is not a number", { limits: { maxPageBytes: "1" } }, "maxPageBytes"],
    ["options that are not an object", { options: 5 }, "options"],
    ["options that are null", { options: null }, "options"],
    ["limits that are not an object", { limits: 5 }, "limits"],
    ["a key that open does not accept", { compression: "gzip" }, "compression"],
    ["a signal that is not an AbortSignal", { signal: {} }, "signal"],
  ])("makes `open` reject %s", async (_, options, argument) => {
    await expect(defineFormat(spec()).open([source], options)).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test.each<[string, object]>([
    ["toy: options must be an object, found 5.", { options: 5 }],
    ["limits must be an object, found 5.", { limits: 5 }],
    ["limits: maxRecordBytes must be a positive integer, found 0.", { limits: { maxRecordBytes: 0 } }],
    [
      'limits has no option "maxRows"; it has maxRecordBytes, maxMetadataBytes, maxPageBytes, maxColumns.',
      { limits: { maxRows: 1 } },
    ],
    ["open: signal must be an AbortSignal, found an empty object.", { signal: {} }],
    ['open has no option "compression"; it has options, limits, signal.', { compression: "gzip" }],
  ])("makes `open` fail with the message: %s", async (message, options) => {
    await expect(defineFormat(spec()).open([source], options)).rejects.toMatchObject({
      message: `[invalid-argument] ${message}`,
    });
  });

  test.each<[string, object]>([
    ["plan: batchSize must be a positive integer, found 0.", { batchSize: 0 }],
    ['plan: columns must be a list of ColumnPaths, found "a".', { columns: "a" }],
    ['plan: rawRecordColumn must be a name of at least one character, found "".', { rawRecordColumn: "" }],
    ['plan: unlisted must be "drop" or "error", found "keep".', { unlisted: "keep" }],
    ["plan: isSample must be true or false, found 1.", { isSample: 1 }],
    [
      "unlisted applies to columns that are not in the schema, so it requires a schema.",
      { unlisted: "drop" },
    ],
    ['columns must be unique, found "a" twice.', { columns: [ColumnPath.of("a"), ColumnPath.of("a")] }],
  ])("makes `plan` fail with the message: %s", async (message, request) => {
    const reader = await defineFormat(spec({ reads: EVERYTHING })).open([source]);
    await expect(reader.plan(request as ReadRequest)).rejects.toMatchObject({
      message: `[invalid-argument] ${message}`,
    });
  });

  test("makes `open` reject an empty list of sources", async () => {
    await expect(defineFormat(spec()).open([])).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "sources",
      message: "[invalid-argument] toy: sources must be a list of at least one source, found an empty list.",
    });
  });

  test.each<[string, object, string]>([
    ["an unknown key", { rows: 1 }, "rows"],
    ["a signal that is not an AbortSignal", { signal: {} }, "signal"],
    ["a batch size of zero", { batchSize: 0 }, "batchSize"],
    ["a fractional batch size", { batchSize: 2.5 }, "batchSize"],
    ["a batch size that is a string", { batchSize: "many" }, "batchSize"],
    ["a projection that is not a list", { columns: "a" }, "columns"],
    ["a projection of strings", { columns: ["a"] }, "columns"],
    ["a column named twice", { columns: [ColumnPath.of("a"), ColumnPath.of("a")] }, "columns"],
    ["a raw record column without a name", { rawRecordColumn: "" }, "rawRecordColumn"],
    ["a row position column without a name", { rowPositionColumn: "" }, "rowPositionColumn"],
    ["a column form that does not exist", { columnForm: "flat" as never }, "columnForm"],
    ["a batch of zero bytes", { batchBytes: 0 }, "batchBytes"],
    ["a split size that is not an integer", { splitBytes: 0.5 }, "splitBytes"],
    ["a filter that is not a predicate", { filter: "a > 1" }, "predicate"],
    ["an unknown rule for unlisted columns", { unlisted: "keep", schema: {} }, "unlisted"],
    ["a rule for unlisted columns without a schema", { unlisted: "error" }, "unlisted"],
  ])("makes `plan` reject %s", async (_, request, argument) => {
    const reader = await defineFormat(spec({ reads: EVERYTHING })).open([source]);
    await expect(reader.plan(request as ReadRequest)).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test.each<[string, ReadRequest]>([
    ["batchBytes", { batchBytes: 1 }],
    ["columnForm", { columnForm: "lists" }],
    ["rawRecordColumn", { rawRecordColumn: "raw" }],
    ["rowPositionColumn", { rowPositionColumn: "row" }],
    ["splitBytes", { splitBytes: 1 }],
    ["filter", { filter: { kind: "isNull", column: ColumnPath.of("a") } }],
  ])("makes `plan` reject %s unless the format declares support", async (feature, request) => {
    const plain = await defineFormat(spec()).open([source]);
    await expect(plain.plan(request)).rejects.toMatchObject({
      code: "unsupported",
      reason: "undeclared-request",
      feature,
    });
    let seen: object = {};
    const able = await defineFormat(
      spec({
        reads: EVERYTHING,
        open: async () => ({
          plan: async (given) => {
            seen = given;
            return { splits: [], async *read() {} };
          },
        }),
      }),
    ).open([source]);
    await able.plan(request);
    expect(seen).toMatchObject(request);
  });
});

describe("a read of a defined format", () => {
  const split = { index: 0, uri: "memory" };
  const [batch] = tableFromArrays({ a: [1], b: [2] }).batches as [RecordBatch];

  function formatReading(read: ReadPlan["read"], request: ReadRequest = {}): Promise<ReadPlan> {
    const format = defineFormat(
      spec({ reads: EVERYTHING, open: async () => ({ plan: async () => ({ splits: [split], read }) }) }),
    );
    return format.open([source]).then((reader) => reader.plan(request));
  }

  test.each<[string, object, string]>([
    ["an unknown key", { start: 1 }, "start"],
    ["a negative position", { from: { row: -1 } }, "from.row"],
    ["a position without a row", { from: { detail: 3 } }, "from.row"],
    ["an onProgress that is not a function", { onProgress: 1 }, "onProgress"],
    ["a signal that is not an AbortSignal", { signal: 1 }, "signal"],
    ["a seed below zero", { shuffle: { seed: -1, numRows: 1 } }, "shuffle.seed"],
    ["a seed that is not an integer", { shuffle: { seed: 0.5, numRows: 1 } }, "shuffle.seed"],
    ["a shuffle without a seed", { shuffle: { numRows: 1 } }, "shuffle.seed"],
    ["a shuffle of zero rows", { shuffle: { seed: 1, numRows: 0 } }, "shuffle.numRows"],
    ["a shuffle with an unknown key", { shuffle: { seed: 1, numRows: 1, salt: 2 } }, "salt"],
    ["a shuffle that is not an object", { shuffle: 5 }, "shuffle"],
    ["a shuffle whose `with` is not a list", { shuffle: { seed: 1, numRows: 1, with: {} } }, "shuffle.with"],
    ["a shuffle whose `with` contains a number", { shuffle: { seed: 1, numRows: 1, with: [5] } }, "split"],
    [
      "a split index column without a name",
      { shuffle: { seed: 1, numRows: 1, splitIndexColumn: "" } },
      "shuffle.splitIndexColumn",
    ],
  ])("rejects %s", async (_, options, argument) => {
    const plan = await formatReading(async function* () {});
    await expect(collect(plan.read(split, options))).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test.each<[string, object]>([
    ["from.row must be an integer of at least 0, found -1.", { from: { row: -1 } }],
    ["shuffle must be an object, found 5.", { shuffle: 5 }],
    ["shuffle.seed must be an integer of at least 0, found undefined.", { shuffle: { numRows: 1 } }],
    ['shuffle has no option "salt"; it has seed, numRows, with, splitIndexColumn.', { shuffle: { salt: 1 } }],
    ["read: onProgress must be a function, found 1.", { onProgress: 1 }],
  ])("fails with the message: %s", async (message, options) => {
    const plan = await formatReading(async function* () {});
    await expect(collect(plan.read(split, options))).rejects.toMatchObject({
      message: `[invalid-argument] ${message}`,
    });
  });

  test("rejects a value that is not a split", async () => {
    const plan = await formatReading(async function* () {});
    for (const none of [undefined, null, 0]) {
      await expect(collect(plan.read(none as never))).rejects.toMatchObject({ argument: "split" });
    }
  });

  test("rejects a split that is not in the plan", async () => {
    const plan = await formatReading(async function* () {});
    for (const stranger of [
      { index: 1, uri: "memory" },
      { index: 0, uri: "other" },
      { ...split, start: 4 },
    ]) {
      await expect(collect(plan.read(stranger))).rejects.toMatchObject({ reason: "unknown-split" });
    }
  });

  test("throws the signal's reason even if the format throws a different error", async () => {
    const controller = new AbortController();
    const plan = await formatReading(async function* () {
      controller.abort("enough");
      throw new TypeError("wrapped");
    });
    await expect(collect(plan.read(split, { signal: controller.signal }))).rejects.toBe("enough");
  });

  test("throws the signal's reason even if the format ignores the signal", async () => {
    const controller = new AbortController();
    const plan = await formatReading(async function* () {
      controller.abort("enough");
      yield batch;
    });
    await expect(collect(plan.read(split, { signal: controller.signal }))).rejects.toBe("enough");
  });

  test("names onProgress in the error if onProgress throws, and closes the format's read", async () => {
    const cause = new Error("display gone");
    let isClosed = false;
    const plan = await formatReading(async function* (_, options) {
      try {
        options?.onProgress?.({ position: { row: 1 }, numRows: 1, numBytes: 1, numSkipped: 0 });
        yield batch;
      } finally {
        isClosed = true;
      }
    });
    const onProgress = (): void => {
      throw cause;
    };
    await expect(collect(plan.read(split, { onProgress }))).rejects.toMatchObject({
      code: "user-function",
      operator: "onProgress",
      cause,
    });
    expect(isClosed).toBe(true);
  });

  test("fails and closes the format's read if the reader is closed", async () => {
    let isClosed = false;
    const format = defineFormat(
      spec({
        open: async () => ({
          plan: async () => ({
            splits: [split],
            async *read(): AsyncGenerator<RecordBatch> {
              try {
                for (;;) yield batch;
              } finally {
                isClosed = true;
              }
            },
          }),
        }),
      }),
    );
    const reader = await format.open([source]);
    const plan = await reader.plan();
    const read = async (): Promise<void> => {
      for await (const _ of plan.read(split)) await reader.close();
    };
    await expect(read()).rejects.toMatchObject({ code: "invalid-argument", reason: "reader-closed" });
    expect(isClosed).toBe(true);
  });

  test.each<[string, unknown]>([
    ["an object with numRows", { numRows: 1 }],
    ["null", null],
    ["a number", 5],
    ["a list of batches", [batch]],
  ])("rejects %s that the format yields in place of a batch", async (_, given) => {
    const plan = await formatReading(async function* () {
      yield given as never;
    });
    await expect(collect(plan.read(split))).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "format-output",
    });
  });

  test("rejects a column that the format yields but the request does not name", async () => {
    const read = async function* (): AsyncGenerator<RecordBatch> {
      yield batch;
    };
    const columns = [ColumnPath.of("a")];
    const error = { code: "invalid-argument", reason: "format-output" };
    await expect(collect((await formatReading(read, { columns })).read(split))).rejects.toMatchObject(error);
    await expect(collect((await formatReading(read, { columns: [] })).read(split))).rejects.toMatchObject(
      error,
    );
    for (const request of [
      {},
      { columns: [ColumnPath.of("b", "c"), ColumnPath.of("a")] },
      { columns, rawRecordColumn: "b" },
      { columns, rowPositionColumn: "b" },
    ]) {
      expect(await collect((await formatReading(read, request)).read(split))).toEqual([batch]);
    }
  });

  test("ends the wait for the next batch when it is closed", async () => {
    let isClosed = false;
    const plan = await formatReading(async function* (_, { signal } = {}) {
      try {
        yield batch;
        await new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        );
      } finally {
        isClosed = true;
      }
    });
    const batches = plan.read(split)[Symbol.asyncIterator]();
    expect((await batches.next()).value).toBe(batch);
    const waiting = batches.next();
    expect(await batches.return?.()).toEqual({ done: true, value: undefined });
    expect(isClosed).toBe(true);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await batches.next()).toEqual({ done: true, value: undefined });
  });

  test("does not start the format's read if closed before the first batch", async () => {
    let isOpened = false;
    const plan = await formatReading(async function* () {
      isOpened = true;
      yield batch;
    });
    const batches = plan.read(split)[Symbol.asyncIterator]();
    expect(await batches.return?.()).toEqual({ done: true, value: undefined });
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(isOpened).toBe(false);
  });

  test("removes all of its listeners from a signal that outlives the read", async () => {
    const { signal } = new AbortController();
    let numListeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        numListeners++;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        numListeners--;
        remove(...given);
      },
    });
    const plan = await formatReading(async function* () {
      yield batch;
    });
    await collect(plan.read(split, { signal }));
    for await (const _ of plan.read(split, { signal })) break;
    expect(numListeners).toBe(0);
  });
});

async function collect(batches: AsyncIterable<RecordBatch>): Promise<RecordBatch[]> {
  const collected: RecordBatch[] = [];
  for await (const batch of batches) collected.push(batch);
  return collected;
}
