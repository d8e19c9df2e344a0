import { describe, expect, test } from "@jest/globals";
import {
  defineFormat,
  type FormatReader,
  type FormatSpec,
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

const emptyReader: FormatReader = { plan: async () => ({ splits: [], async *read() {} }) };

function spec(changes: Partial<FormatSpec<{ width: number }>> = {}): FormatSpec<{ width: number }> {
  return {
    id: "toy",
    extensions: [".toy"],
    defaults: { width: 8 },
    open: async () => emptyReader,
    ...changes,
  };
}

describe("defineFormat", () => {
  test("gives a frozen format of this contract's version", () => {
    const format = defineFormat(spec());
    expect(format).toMatchObject({
      contractVersion: 1,
      id: "toy",
      extensions: [".toy"],
      defaults: { width: 8 },
    });
    expect(Object.isFrozen(format)).toBe(true);
    expect(format.sniff).toBeUndefined();
    expect(format.write).toBeUndefined();
  });

  test.each<[string, Partial<FormatSpec<{ width: number }>>]>([
    ["an id in camel case", { id: "myToy" }],
    ["an empty id", { id: "" }],
    ["an extension without its dot", { extensions: ["toy"] }],
    ["an extension in upper case", { extensions: [".TOY"] }],
    ["an extension twice", { extensions: [".toy", ".toy"] }],
    ["no list of extensions", { extensions: undefined as never }],
    ["no object of defaults", { defaults: undefined as never }],
    ["no way to open", { open: undefined as never }],
    ["a sniff that is no function", { sniff: "toy" as never }],
    ["a write that is no function", { write: true as never }],
  ])("refuses %s", (_, changes) => {
    expect(() => defineFormat(spec(changes))).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test.each([undefined, null, 5])("refuses %j for a definition", (given) => {
    expect(() => defineFormat(given as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test("open refuses what is no source", async () => {
    await expect(defineFormat(spec()).open(["file.toy"] as never)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "source-type",
    });
  });

  test("refuses a format written for another version of the contract", () => {
    expect(() => defineFormat(spec({ contractVersion: 2 }))).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "contract-version" }),
    );
  });

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
      { maxRecordBytes: 2 ** 30 },
      4096,
      { width: 3 },
      { maxRecordBytes: 10 },
      5,
    ]);
  });

  test.each<[string, object, string]>([
    ["an option that the format lacks", { options: { height: 1 } }, "height"],
    ["a limit that is not known", { limits: { maxRows: 1 } }, "maxRows"],
    ["a limit of zero", { limits: { maxRecordBytes: 0 } }, "maxRecordBytes"],
    ["options that are no object", { options: 5 }, "toy"],
    ["options that are null", { options: null }, "toy"],
    ["a key that open does not take", { compression: "gzip" }, "compression"],
    ["a signal that is none", { signal: {} }, "signal"],
  ])("open refuses %s", async (_, options, argument) => {
    await expect(defineFormat(spec()).open([source], options)).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test("open refuses an empty list of sources", async () => {
    await expect(defineFormat(spec()).open([])).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "sources",
    });
  });

  test.each<[string, object, string]>([
    ["an unknown key", { rows: 1 }, "rows"],
    ["a signal that is none", { signal: {} }, "signal"],
    ["a batch size of zero", { batchSize: 0 }, "batchSize"],
    ["a fractional batch size", { batchSize: 2.5 }, "batchSize"],
    ["a batch size in words", { batchSize: "many" }, "batchSize"],
    ["a projection that is no list", { columns: "a" }, "columns"],
    ["a projection of bare names", { columns: ["a"] }, "columns"],
    ["a column named twice", { columns: [ColumnPath.of("a"), ColumnPath.of("a")] }, "columns"],
    ["a raw record column without a name", { rawRecordColumn: "" }, "rawRecordColumn"],
    ["an inference that is not known", { inferSchema: "some" }, "inferSchema"],
    ["an inference over zero rows", { inferSchema: { rows: 0 } }, "inferSchema.rows"],
    ["a rule that is not known", { unlisted: "keep", schema: {} }, "unlisted"],
    ["a rule for what is beyond no schema", { unlisted: "error" }, "unlisted"],
    ["an inference beside a schema", { inferSchema: "first", schema: {} }, "inferSchema"],
  ])("plan refuses %s", async (_, request, argument) => {
    const reader = await defineFormat(spec()).open([source]);
    await expect(reader.plan(request as ReadRequest)).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });
});

describe("what defineFormat adds to a read", () => {
  const split = { index: 0, uri: "memory" };
  const [batch] = tableFromArrays({ a: [1], b: [2] }).batches as [RecordBatch];

  function formatReading(read: ReadPlan["read"], request: ReadRequest = {}): Promise<ReadPlan> {
    const format = defineFormat(
      spec({ open: async () => ({ plan: async () => ({ splits: [split], read }) }) }),
    );
    return format.open([source]).then((reader) => reader.plan(request));
  }

  test.each<[string, object, string]>([
    ["an unknown key", { start: 1 }, "start"],
    ["a negative position", { from: { row: -1 } }, "from.row"],
    ["a position without a record", { from: { detail: 3 } }, "from.row"],
    ["progress that is no function", { onProgress: 1 }, "onProgress"],
    ["a signal that is none", { signal: 1 }, "signal"],
  ])("refuses %s", async (_, options, argument) => {
    const plan = await formatReading(async function* () {});
    await expect(collect(plan.read(split, options))).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test("refuses what is no split", async () => {
    const plan = await formatReading(async function* () {});
    for (const none of [undefined, null, 0]) {
      await expect(collect(plan.read(none as never))).rejects.toMatchObject({ argument: "split" });
    }
  });

  test("refuses a split of another plan", async () => {
    const plan = await formatReading(async function* () {});
    for (const stranger of [
      { index: 1, uri: "memory" },
      { index: 0, uri: "other" },
      { ...split, start: 4 },
    ]) {
      await expect(collect(plan.read(stranger))).rejects.toMatchObject({ reason: "unknown-split" });
    }
  });

  test("gives the signal's reason even when the format wraps it", async () => {
    const controller = new AbortController();
    const plan = await formatReading(async function* () {
      controller.abort("enough");
      throw new TypeError("wrapped");
    });
    await expect(collect(plan.read(split, { signal: controller.signal }))).rejects.toBe("enough");
  });

  test("gives the signal's reason even when the format does not look at the signal", async () => {
    const controller = new AbortController();
    const plan = await formatReading(async function* () {
      controller.abort("enough");
      yield batch;
    });
    await expect(collect(plan.read(split, { signal: controller.signal }))).rejects.toBe("enough");
  });

  test("names onProgress when it throws, and keeps what it threw", async () => {
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

  test("ends a read in progress when the reader is closed", async () => {
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

  test.each([{ numRows: 1 }, null, 5, [batch]])("refuses %j where a batch is due", async (given) => {
    const plan = await formatReading(async function* () {
      yield given as never;
    });
    await expect(collect(plan.read(split))).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "format-output",
    });
  });

  test("refuses a column that a projected read did not ask for", async () => {
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
    ]) {
      expect(await collect((await formatReading(read, request)).read(split))).toEqual([batch]);
    }
  });

  test("is left also while the next batch is awaited, and ends what waits for it", async () => {
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

  test("opens nothing when it is left before the first batch", async () => {
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

  test("lets go of a signal that outlives the read", async () => {
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
