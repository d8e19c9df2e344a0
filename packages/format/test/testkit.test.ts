import { describe, expect, test } from "@jest/globals";
import {
  type BatchWriter,
  type ContainerContext,
  defineFormat,
  type Format,
  type FormatSpec,
  type PlanRequest,
  type ReadPlan,
  type ReadOptions,
  type Reader,
  type RecordIndex,
  recordFormat,
  type Split,
  type SplitRows,
} from "@tfxio/format";
import {
  type BrokenFixture,
  CheckFailure,
  type FormatCheck,
  formatChecks,
  type FormatFixture,
} from "@tfxio/format/testkit";
import { parseSchemaText } from "@tfxio/schema";
import {
  type ByteSource,
  type ByteTarget,
  bytesSource,
  isTfxioError,
  type Position,
  type RecordBlock,
  RecordError,
  UnsupportedError,
} from "@tfxio/wire";
import {
  Binary,
  type Data,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  type RecordBatch,
  RecordBatch as Batch,
  Schema as ArrowSchema,
  Struct,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { type TableOptions, toyTable } from "./toy-table.js";
import { type LineOptions, lineContainer, type PairOptions, pairPayload } from "./toy-lines.js";

type ToyOptions = LineOptions & PairOptions;

const toy = recordFormat(lineContainer, pairPayload);
/** Like `toy`, with records that can be read by index. */
const numbered = recordFormat({ ...lineContainer, id: "numbered-lines", index: indexLines }, pairPayload);

async function indexLines(source: ByteSource, context: ContainerContext<LineOptions>): Promise<RecordIndex> {
  const records: RecordBlock[] = [];
  for await (const block of lineContainer.blocks(source, context)) {
    for (let record = 0; record < block.numRecords; record++) {
      const [starts, ends] = [block.starts.slice(record, record + 1), block.ends.slice(record, record + 1)];
      records.push({
        ...block,
        numRecords: 1,
        starts,
        ends,
        firstRecordIndex: block.firstRecordIndex + record,
      });
    }
  }
  return {
    numRecords: records.length,
    read: async (numbers) => [...numbers].map((number) => records[number] as RecordBlock),
  };
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const described: FormatFixture<ToyOptions> = {
  name: "two sources",
  sources: [bytes("a=1 b=2,3\na=4\na=\n"), bytes("b=5\na=6 b=7\n")],
  rows: [{ a: [1], b: [2, 3] }, { a: [4], b: null }, { a: [] }, { b: [5] }, { a: [6], b: [7] }],
};
const fixtures: readonly (FormatFixture<ToyOptions> | BrokenFixture<ToyOptions>)[] = [
  described,
  { ...described, name: "two sources, in framed windows", options: { fused: true, linesAtOnce: 1 } },
  {
    ...described,
    name: "two sources, with a schema",
    schema: parseSchemaText('feature { name: "b" type: FLOAT } feature { name: "a" type: FLOAT }'),
  },
  {
    name: "damaged",
    sources: [bytes("a=1\n"), bytes("a=2\n!\n")],
    error: { code: "malformed-payload" },
  },
];

const tables: readonly FormatFixture<TableOptions>[] = [
  {
    name: "groups",
    sources: [bytes('[[{"a":1,"b":7},{"b":2}],[{"a":3}]]'), bytes('[[{"a":4},{"a":1,"b":5}],[{"b":6}]]')],
    rows: [{ a: 1, b: 7 }, { b: 2 }, { a: 3 }, { a: 4 }, { a: 1, b: 5 }, { b: 6 }],
  },
  {
    name: "groups, filtered by split, with a schema",
    sources: [bytes('[[{"a":1,"b":7},{"b":2}],[{"a":3}],[{"a":4,"b":1}]]')],
    rows: [{ a: 1, b: 7 }, { b: 2 }, { a: 3 }, { a: 4, b: 1 }],
    schema: parseSchemaText('feature { name: "b" type: FLOAT } feature { name: "a" type: FLOAT }'),
    options: { prune: "splits" },
  },
];

describe("a correct format passes the check", () => {
  test.each(formatChecks(toy, { fixtures }))("$name", async ({ run }) => expect(await run()).toBeUndefined());
  test.each(formatChecks(numbered, { fixtures }))("$name", async ({ run }) =>
    expect(await run()).toBeUndefined(),
  );
  test.each(formatChecks(toyTable, { fixtures: tables }))("$name", async ({ run }) =>
    expect(await run()).toBeUndefined(),
  );
});

describe("formatChecks", () => {
  test("returns checks that leave no timer running, so that the process can exit after the last check", async () => {
    const numTimers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = numTimers();
    for (const { run } of formatChecks(toy, { fixtures })) await run();
    expect(numTimers()).toBe(before);
  });

  test("rejects a list of fixtures if none of them has rows", () => {
    expect(() => formatChecks(toy, { fixtures: [] })).toThrow(
      expect.objectContaining({ argument: "fixtures" }),
    );
    const [broken] = fixtures.slice(-1);
    expect(() => formatChecks(toy, { fixtures: [broken!] })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "fixtures" }),
    );
  });

  test("rejects two fixtures with the same name", () => {
    expect(() => formatChecks(toy, { fixtures: [described, described] })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "fixtures" }),
    );
  });

  test("returns checks with distinct names", () => {
    const names = formatChecks(toy, { fixtures }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Returns a copy of `format` with a different plan function, in which a test can plant a defect. */
function planningOf<Options extends object>(
  format: Format<Options>,
  plan: (reader: Reader, request: PlanRequest) => Promise<ReadPlan>,
  changes: Partial<FormatSpec<Options>> = {},
): Format<Options> {
  const over = (reader: Reader) => ({
    plan: (request: PlanRequest) => plan(reader, request),
    close: () => reader.close(),
  });
  const { extensions, defaults, contractVersion, columnForm, reads, openStream, createWriter } = format;
  return defineFormat<Options>({
    id: "faulty",
    extensions,
    defaults,
    contractVersion,
    columnForm,
    reads,
    open: async (sources, { options }) => over(await format.open(sources, { options })),
    ...(openStream && {
      openStream: async (stream, { options }) => over(await openStream(stream, { options })),
    }),
    ...(createWriter && { createWriter }),
    ...changes,
  });
}

/** Returns the toy format with a different plan function. */
function planning(
  plan: (reader: Reader, request: PlanRequest) => Promise<ReadPlan>,
  changes: Partial<FormatSpec<ToyOptions>> = {},
): Format<ToyOptions> {
  return planningOf(toy, plan, changes);
}

/** Returns the toy format with a different read function. */
function reading(
  read: (batches: AsyncIterable<RecordBatch>) => AsyncIterable<RecordBatch>,
): Format<ToyOptions> {
  return planning(async (reader, request) => {
    const plan = await reader.plan(request);
    return { ...plan, read: (split, options) => read(plan.read(split, options)) };
  });
}

async function failuresOf(format: Format<ToyOptions>): Promise<string[]> {
  return namesOfFailures(formatChecks(format, { fixtures: [described, ...fixtures.slice(-1)] }));
}

async function namesOfFailures(checks: readonly FormatCheck[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of checks) {
    try {
      await run();
    } catch (error) {
      // Checks do not wrap the errors of the faulty format and its reader, so a failure may also be a TfxioError.
      if (!isTfxioError(error)) expect(error).toBeInstanceOf(CheckFailure);
      failures.push(name.replace(/^.*?: /, ""));
    }
  }
  return failures;
}

describe("the results of the checks show that a format", () => {
  const truncation =
    "reads a truncated file without extra rows, or fails with a TfxioError that names a source, and leaves nothing open";
  const damage = "fails with malformed-payload, names a source, and leaves nothing open";
  const stream = "reads a stream like a file, and only once";
  const leftEarly = "leaves nothing open when the loop is left early";

  test.each<[string, Format<ToyOptions>, unknown]>([
    ["has no defect", planning((reader, request) => reader.plan(request)), []],
    [
      "ignores the requested columns",
      planning((reader, request) => reader.plan({ ...request, columns: undefined })),
      [
        "reads exactly the columns asked for",
        "counts rows even if no column is read",
        "appends the raw record column",
        stream,
      ],
    ],
    [
      "ignores the batch size",
      planning((reader, request) => reader.plan({ ...request, batchSize: undefined })),
      // The reader rejects oversized batches, so other checks that set a batch size fail too.
      expect.arrayContaining(["keeps to the batch size"]),
    ],
    [
      "ignores the raw record column",
      planning((reader, request) => reader.plan({ ...request, rawRecordColumn: undefined })),
      ["appends the raw record column"],
    ],
    [
      "starts from the beginning instead of at a position",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        return { ...plan, read: (split, options) => plan.read(split, { ...options, from: undefined }) };
      }),
      [
        "resumes at positions that it reported",
        "appends row positions that ascend in each file, however it is read",
        "gives the same order for small and large batches, and when the read resumes at any row",
      ],
    ],
    [
      "resumes only if the position has a detail",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        const seeking = ({ from, ...options }: ReadOptions = {}): ReadOptions =>
          from?.detail === undefined ? options : { ...options, from };
        return { ...plan, read: (split, options) => plan.read(split, seeking(options)) };
      }),
      [
        "resumes at positions that it reported",
        "appends row positions that ascend in each file, however it is read",
        "gives the same order for small and large batches, and when the read resumes at any row",
      ],
    ],
    [
      "reports no progress",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        return { ...plan, read: (split, options) => plan.read(split, { ...options, onProgress: undefined }) };
      }),
      ["resumes at positions that it reported", "reports progress before each batch"],
    ],
    [
      "claims a different Arrow schema",
      planning(async (reader, request) => ({
        ...(await reader.plan(request)),
        arrowSchema: new ArrowSchema([new Field("a", new Float64(), true)]),
      })),
      ["gives only non-empty batches that have the plan's Arrow schema"],
    ],
    [
      "lists its splits backwards",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        const backwards = plan.splits.toReversed().map((split, index) => ({ ...split, index }));
        return {
          ...plan,
          splits: backwards,
          read: (split, options = {}) =>
            plan.read(plan.splits[plan.splits.length - 1 - split.index]!, { ...options, shuffle: undefined }),
        };
      }),
      expect.arrayContaining(["reads every row", "gives splits that are ordered, disjoint and complete"]),
    ],
    [
      "invents the uri of its first split",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        const splits = plan.splits.map((split, index) =>
          index === 0 ? { ...split, uri: "invented" } : split,
        );
        return { ...plan, splits, read: (split, options) => plan.read(plan.splits[split.index]!, options) };
      }),
      expect.arrayContaining(["gives splits that are ordered, disjoint and complete"]),
    ],
    [
      "does not close when the loop is left",
      reading((batches) => {
        const inner = batches[Symbol.asyncIterator]();
        return { [Symbol.asyncIterator]: () => ({ next: () => inner.next() }) };
      }),
      [leftEarly, "rejects with the signal's reason when aborted between batches, and leaves nothing open"],
    ],
    [
      "reuses the memory of a batch",
      reading(async function* (batches) {
        let last: RecordBatch | undefined;
        for await (const batch of batches) {
          for (const name of ["a", "b"]) last?.getChild(name)?.data[0]?.children[0]?.values.fill(99);
          last = batch;
          yield batch;
        }
      }),
      ["leaves earlier batches unchanged when it reads on", "ends batches at batchBytes"],
    ],
    [
      "yields empty batches",
      reading(async function* (batches) {
        for await (const batch of batches) {
          yield batch;
          yield batch.slice(0, 0);
        }
      }),
      expect.arrayContaining(["reads every row", "keeps to the batch size"]),
    ],
    [
      "throws an error without a code",
      reading(async function* (batches) {
        try {
          yield* batches;
        } catch (cause) {
          throw new TypeError("what now", { cause });
        }
      }),
      [stream, truncation, damage],
    ],
    [
      "does not report where an error is",
      reading(async function* (batches) {
        try {
          yield* batches;
        } catch (cause) {
          throw new RecordError("malformed-payload", "somewhere", { cause });
        }
      }),
      [stream, truncation, damage],
    ],
    [
      "claims every source as its own",
      planning((reader, request) => reader.plan(request), { sniff: () => true }),
      ["does not claim an empty source"],
    ],
    [
      "claims no source as its own",
      planning((reader, request) => reader.plan(request), { sniff: () => false }),
      ["declares sniff, which has an effect on at least one fixture"],
    ],
  ])("%s", async (_, format, expected) => {
    expect(await failuresOf(format)).toEqual(expected);
  });

  test("ignores a column that the schema lacks", async () => {
    const format = planning((reader, request) => {
      const columns = request.columns?.filter(({ steps }) => steps[0] !== "no-such-column");
      return reader.plan({ ...request, columns: columns?.length === 0 ? undefined : columns });
    });
    const withSchema = fixtures.slice(2, 3);
    const checks = formatChecks(format, { fixtures: withSchema });
    const check = checks.find(({ name }) =>
      name.endsWith("rejects a requested column that the schema lacks"),
    );
    await expect(check?.run()).rejects.toBeInstanceOf(CheckFailure);
  });

  test("loses the last row of a source", async () => {
    const format = reading(async function* (batches) {
      let last: RecordBatch | undefined;
      for await (const batch of batches) {
        if (last !== undefined) yield last;
        last = batch;
      }
      if (last !== undefined && last.numRows > 1) yield last.slice(0, last.numRows - 1);
    });
    expect(await failuresOf(format)).toEqual(
      expect.arrayContaining(["reads every row", "gives splits that are ordered, disjoint and complete"]),
    );
  });

  test("returns null where a fixture expects an empty list", async () => {
    const confused = { ...described, rows: described.rows.map((row) => ({ a: [], b: [], ...row })) };
    const [check] = formatChecks(toy, { fixtures: [confused] });
    await expect(check?.run()).rejects.toThrow(/row 2, column "b": expected \[\], found null/);
  });
});

describe("the checks notice a format that", () => {
  /** Returns a format that applies `change` to each request before it plans the read. */
  const asking = <Options extends object>(
    format: Format<Options>,
    change: (request: PlanRequest) => Partial<PlanRequest>,
  ): Format<Options> =>
    planningOf(format, (reader, request) => reader.plan({ ...request, ...change(request) }));
  /** Returns a format that replaces members of each plan with those that `change` returns. */
  const answering = <Options extends object>(
    format: Format<Options>,
    change: (plan: ReadPlan, request: PlanRequest) => Partial<ReadPlan>,
  ): Format<Options> =>
    planningOf(format, async (reader, request) => {
      const plan = await reader.plan(request);
      return { ...plan, ...change(plan, request) };
    });
  /** Returns a format that applies `change` to what `openRows` returns. */
  const answeringRows = (change: (rows: SplitRows) => SplitRows): Format<ToyOptions> =>
    answering(numbered, (plan) => ({
      openRows: async (split, options) => change(await plan.openRows!(split, options)),
    }));
  /** Returns a format that reads with changed options. */
  const readingWith = (change: (options: ReadOptions) => ReadOptions): Format<ToyOptions> =>
    answering(toy, (plan) => ({
      read: (split, options = {}) => plan.read(split, { ...options, ...change(options) }),
    }));
  const mapping = <Options extends object>(
    format: Format<Options>,
    change: (batch: RecordBatch, request: PlanRequest) => RecordBatch,
  ): Format<Options> =>
    answering(format, (plan, request) => ({
      async *read(split, options) {
        for await (const batch of plan.read(split, options)) yield change(batch, request);
      },
    }));
  const column = (batch: RecordBatch, name: string, values: Vector): RecordBatch => {
    const children = batch.schema.fields.map((field, index) =>
      field.name === name ? values.data[0]! : batch.data.children[index]!,
    );
    const type = new Struct(batch.schema.fields);
    return new Batch(batch.schema, makeData({ type, length: batch.numRows, nullCount: 0, children }));
  };
  const withSchema = fixtures.slice(2, 3);
  const lines = (format: Format<ToyOptions>, some = fixtures.slice(0, 1)) =>
    formatChecks(format, { fixtures: some });
  const table = (format: Format<TableOptions>) => formatChecks(format, { fixtures: tables });
  const withFilter = ({ filter }: PlanRequest): boolean => filter !== undefined;

  test.each<[string, readonly FormatCheck[], string]>([
    [
      "reads only the first requested column",
      lines(asking(toy, ({ columns }) => ({ columns: columns?.slice(0, 1) }))),
      "reads exactly the columns asked for",
    ],
    [
      "ignores columns that the schema lacks",
      lines(
        asking(toy, ({ columns }) => ({ columns: columns?.filter(({ steps }) => steps[0]!.length < 2) })),
        withSchema,
      ),
      "rejects a requested column that the schema lacks",
    ],
    [
      "ignores the schema",
      lines(
        asking(toy, () => ({ schema: undefined, unlisted: undefined })),
        withSchema,
      ),
      "gives only non-empty batches that have the plan's Arrow schema",
    ],
    [
      "reverses the order of the columns in the schema",
      lines(
        asking(toy, ({ schema }) => ({
          schema: schema && { ...schema, feature: schema.feature.toReversed() },
        })),
        [
          {
            name: "three columns",
            sources: [bytes("a=1 b=2 c=3\n")],
            rows: [{ a: [1], b: [2], c: [3] }],
            schema: parseSchemaText(
              ["a", "b", "c"].map((name) => `feature { name: "${name}" type: FLOAT }`).join("\n"),
            ),
          },
        ],
      ),
      "gives only the columns of the schema, in the order of the schema",
    ],
    [
      "drops unlisted columns that it should reject",
      lines(
        asking(toy, () => ({ unlisted: undefined })),
        withSchema,
      ),
      'rejects a column outside the schema if the request sets unlisted to "error"',
    ],
    [
      "rejects unlisted columns that it should drop",
      lines(
        asking(toy, ({ schema }) => ({ unlisted: schema && "error" })),
        withSchema,
      ),
      "gives only the columns of the schema, in the order of the schema",
    ],
    [
      "makes batches one row smaller than the batch size",
      lines(asking(toy, ({ batchSize }) => ({ batchSize: Math.max(1, batchSize - 1) }))),
      "keeps to the batch size",
    ],
    [
      "declares columnForm but ignores it",
      lines(
        planningOf(toy, (reader, request) => reader.plan({ ...request, columnForm: undefined }), {
          reads: { ...toy.reads, columnForm: true },
        }),
        [{ name: "one value a row", sources: [bytes("a=1\na=2\n")], rows: [{ a: [1] }, { a: [2] }] }],
      ),
      "reads columns as lists and as stored",
    ],
    [
      "ignores batchBytes",
      lines(asking(toy, () => ({ batchBytes: undefined }))),
      "ends batches at batchBytes",
    ],
    [
      "repeats one raw record in all rows",
      lines(
        mapping(toy, (batch, { rawRecordColumn: name }) => {
          if (name === undefined) return batch;
          const records = Array.from({ length: batch.numRows }, () => Uint8Array.of(1));
          return column(batch, name, vectorFromArray(records, new Binary()));
        }),
      ),
      "appends the raw record column",
    ],
    [
      "fills the raw record column with null",
      lines(
        mapping(toy, (batch, { rawRecordColumn: name }) => {
          if (name === undefined) return batch;
          return column(batch, name, vectorFromArray(Array(batch.numRows).fill(null), new Binary()));
        }),
      ),
      "appends the raw record column",
    ],
    [
      "counts row positions from the start of each batch",
      lines(
        mapping(toy, (batch, { rowPositionColumn: name }) => {
          if (name === undefined) return batch;
          const rows = Array.from({ length: batch.numRows }, (_, row) => BigInt(row));
          return column(batch, name, vectorFromArray(rows, new Int64()));
        }),
      ),
      "appends row positions that ascend in each file, however it is read",
    ],
    [
      "counts row positions from the start of a read",
      lines(
        answering(toy, (plan, { rowPositionColumn: name }) => ({
          async *read(split, options) {
            let row = 0;
            for await (const batch of plan.read(split, options)) {
              const rows = Array.from({ length: batch.numRows }, () => BigInt(row++));
              yield name === undefined ? batch : column(batch, name, vectorFromArray(rows, new Int64()));
            }
          },
        })),
      ),
      "appends row positions that ascend in each file, however it is read",
    ],
    [
      "counts row positions from the start of a part",
      table(
        answering(toyTable, (plan, { rowPositionColumn: name }) => ({
          async *read(split, options) {
            let row = options?.from?.row ?? 0;
            for await (const batch of plan.read(split, options)) {
              const rows = Array.from({ length: batch.numRows }, () => BigInt(row++));
              yield name === undefined ? batch : column(batch, name, vectorFromArray(rows, new Int64()));
            }
          },
        })),
      ),
      "appends row positions that ascend in each file, however it is read",
    ],
    [
      "claims to filter rows but keeps all of them",
      table(
        planningOf(toyTable, async (reader, request) => ({
          ...(await reader.plan({ ...request, filter: undefined })),
          ...(withFilter(request) && { filtered: "rows" }),
        })),
      ),
      "applies the filter a == 1",
    ],
    [
      "declares filter but never applies it",
      table(asking(toyTable, () => ({ filter: undefined }))),
      "declares filter, which has an effect on at least one fixture",
    ],
    [
      "loses the null rows that a filter selects",
      table(
        asking(toyTable, ({ filter }) =>
          filter?.kind === "isNull"
            ? { filter: { kind: "compare", column: filter.column, op: "==", value: 1n } }
            : {},
        ),
      ),
      "applies the filter a is null",
    ],
    [
      "keeps only the null rows under a negated filter",
      table(
        asking(toyTable, ({ filter }) =>
          filter?.kind === "not" && filter.operand.kind === "compare"
            ? { filter: { kind: "isNull", column: filter.operand.column } }
            : {},
        ),
      ),
      "applies the filter not a == 1",
    ],
    [
      "loses a part of a split if there is a filter",
      table(
        answering(toyTable, (plan, request) => ({
          subdivide: async (split, options) => {
            const parts = await plan.subdivide!(split, options);
            return withFilter(request) ? parts.slice(1) : parts;
          },
        })),
      ),
      "applies the filter a == 1",
    ],
    [
      "resumes a filtered read one row too late",
      table(
        answering(toyTable, (plan, request) => ({
          read: (split, { from, ...options } = {}) =>
            plan.read(split, {
              ...options,
              from: from && withFilter(request) ? { row: from.row + 1 } : from,
            }),
        })),
      ),
      "applies the filter b < 7",
    ],
    [
      "returns each split whole from subdivide",
      table(
        planningOf(toyTable, async (reader, request) => {
          const plan = await reader.plan(request);
          return { ...plan, subdivide: async (split) => [split] };
        }),
      ),
      "declares subdivide, which has an effect on at least one fixture",
    ],
    [
      "loses a part in subdivide",
      table(
        answering(toyTable, (plan) => ({
          subdivide: async (split, options) => (await plan.subdivide!(split, options)).slice(1),
        })),
      ),
      "cuts splits into parts that give the same rows",
    ],
    [
      "returns parts in reverse order from subdivide",
      table(
        answering(toyTable, (plan) => ({
          subdivide: async (split, options) => (await plan.subdivide!(split, options)).toReversed(),
        })),
      ),
      "cuts splits into parts that give the same rows",
    ],
    [
      "returns parts with the index of a different split",
      table(
        answering(toyTable, (plan) => ({
          subdivide: async (split, options) =>
            (await plan.subdivide!(split, options)).map((part, index) => ({ ...part, index })),
        })),
      ),
      "cuts splits into parts that give the same rows",
    ],
    [
      "returns parts that only the same plan can read",
      table(
        answering(toyTable, (plan) => {
          const known = new Map<string, Split>();
          return {
            subdivide: async (split, options) => {
              const parts = await plan.subdivide!(split, options);
              return parts.map((part, index) => {
                known.set(`${part.index} ${index}`, part);
                return { ...part, detail: index + 100 };
              });
            },
            async *read(split, options) {
              const part = known.get(`${split.index} ${Number(split.detail) - 100}`);
              if (split.detail === undefined || part !== undefined) yield* plan.read(part ?? split, options);
            },
          };
        }),
      ),
      "cuts splits into parts that give the same rows",
    ],
    [
      "reports a wrong numRows for a split",
      lines(answering(toy, (plan) => ({ splits: plan.splits.map((split) => ({ ...split, numRows: 2 })) }))),
      "gives splits that are ordered, disjoint and complete",
    ],
    [
      "reports a wrong numRows for a part",
      table(
        answering(toyTable, (plan) => ({
          subdivide: async (split, options) =>
            (await plan.subdivide!(split, options)).map((part) => ({ ...part, numRows: 1 })),
        })),
      ),
      "cuts splits into parts that give the same rows",
    ],
    [
      "returns the first rows instead of the rows requested by number",
      lines(
        answeringRows(({ numRows, read }) => ({
          numRows,
          read: (rows, options) =>
            read(
              rows.map((_, at) => at),
              options,
            ),
        })),
      ),
      "reads rows by number, if the file allows it",
    ],
    [
      "reports too few rows for random access",
      lines(answeringRows(({ numRows, read }) => ({ numRows: numRows - 1, read }))),
      "reads rows by number, if the file allows it",
    ],
    [
      "leaves out a row requested by number",
      lines(
        answeringRows(({ numRows, read }) => ({
          numRows,
          read: (rows, options) => read(rows.subarray(1), options),
        })),
      ),
      "reads rows by number, if the file allows it",
    ],
    [
      "declares random access that works for no fixture",
      lines(
        answering(numbered, () => ({
          openRows: async () => {
            throw new UnsupportedError("in order only", { feature: "random access" });
          },
        })),
      ),
      "declares randomAccess, which has an effect on at least one fixture",
    ],
    [
      "declares random access to parts without reporting numRows of the parts",
      formatChecks(
        planningOf(
          defineFormat({
            ...toyTable,
            reads: { ...toyTable.reads, randomAccess: "parts" },
          } as FormatSpec<TableOptions>),
          async (reader, request) => {
            const plan = await reader.plan(request);
            const withoutRows = (part: Split): Split => ({ ...part, numRows: undefined });
            return {
              ...plan,
              subdivide: async (split, options) => (await plan.subdivide!(split, options)).map(withoutRows),
            };
          },
        ),
        { fixtures: tables },
      ),
      "declares randomAccess, which has an effect on at least one fixture",
    ],
    [
      "ignores a shuffle",
      lines(
        answering(toy, (plan) => ({
          async *read(split, { shuffle, ...options } = {}) {
            for (const one of [split, ...(shuffle?.with ?? [])]) yield* plan.read(one, options);
          },
        })),
      ),
      "shuffles all rows of all splits in an order that the seed determines",
    ],
    [
      "ignores the seed of a shuffle",
      lines(readingWith(({ shuffle }) => (shuffle ? { shuffle: { ...shuffle, seed: 1 } } : {}))),
      "shuffles all rows of all splits in an order that the seed determines",
    ],
    [
      "changes the seed with each shuffled read",
      (() => {
        let seed = 0;
        return lines(
          readingWith(({ shuffle }) => (shuffle ? { shuffle: { ...shuffle, seed: seed++ } } : {})),
        );
      })(),
      "shuffles all rows of all splits in an order that the seed determines",
    ],
    [
      "shuffles only the first split",
      lines(readingWith(({ shuffle }) => (shuffle ? { shuffle: { ...shuffle, with: [] } } : {}))),
      "shuffles all rows of all splits in an order that the seed determines",
    ],
    [
      "ignores the number of rows from which a shuffle draws",
      lines(readingWith(({ shuffle }) => (shuffle ? { shuffle: { ...shuffle, numRows: 9 } } : {}))),
      "keeps the file order when each draw chooses from one row",
    ],
    [
      "ignores the position at which a shuffled read resumes",
      lines(readingWith(({ shuffle, from }) => ({ from: shuffle ? undefined : from }))),
      "gives the same order for small and large batches, and when the read resumes at any row",
    ],
    [
      "draws from no more rows than a batch has",
      lines(
        answering(toy, (plan, { batchSize }) => ({
          read: (split, { shuffle, ...options } = {}) =>
            plan.read(split, {
              ...options,
              ...(shuffle && { shuffle: { ...shuffle, numRows: Math.min(batchSize, shuffle.numRows) } }),
            }),
        })),
      ),
      "gives the same order for small and large batches, and when the read resumes at any row",
    ],
    [
      "gives all shuffled rows the index of the first split",
      lines(
        answering(toy, (plan) => ({
          async *read(split, options) {
            const name = options?.shuffle?.splitIndexColumn;
            for await (const batch of plan.read(split, options)) {
              const zeros = vectorFromArray(Array(batch.numRows).fill(0), new Int32());
              yield name === undefined ? batch : column(batch, name, zeros);
            }
          },
        })),
      ),
      "appends a column with the split index of each row to shuffled batches",
    ],
    [
      "ignores splitIndexColumn",
      lines(
        readingWith(({ shuffle }) =>
          shuffle ? { shuffle: { ...shuffle, splitIndexColumn: undefined } } : {},
        ),
      ),
      "appends a column with the split index of each row to shuffled batches",
    ],
    [
      "repeats a row when it resumes",
      lines(
        readingWith(({ from }) =>
          from ? { from: { row: Math.max(0, from.row - 1) } satisfies Position } : {},
        ),
      ),
      "resumes at positions that it reported",
    ],
    [
      "loses the last chunk of a stream",
      lines(
        planningOf(toy, (reader, request) => reader.plan(request), {
          openStream: (stream, { options }) => toy.openStream!(allButLast(stream), { options }),
        }),
      ),
      "reads a stream like a file, and only once",
    ],
    [
      "ignores the columns requested from a stream",
      lines(
        planningOf(toy, (reader, request) => reader.plan(request), {
          openStream: async (stream, { options }) => {
            const reader = await toy.openStream!(stream, { options });
            return {
              plan: (request) => reader.plan({ ...request, columns: undefined }),
              close: () => reader.close(),
            };
          },
        }),
      ),
      "reads a stream like a file, and only once",
    ],
    [
      "keeps all bytes of a stream, so that it can be read again",
      lines(
        planningOf(toy, (reader, request) => reader.plan(request), {
          openStream: async (stream, { options }) => {
            const chunks: Uint8Array[] = [];
            for await (const chunk of stream) chunks.push(chunk);
            return toy.open([bytesSource(new Uint8Array(Buffer.concat(chunks)))], { options });
          },
        }),
      ),
      "reads a stream like a file, and only once",
    ],
    [
      "cannot be aborted before it has read a whole stream",
      lines(
        planningOf(toy, (reader, request) => reader.plan(request), {
          openStream: async (stream, { options }) => {
            const chunks: Uint8Array[] = [];
            for await (const chunk of stream) chunks.push(chunk);
            return toy.openStream!(piecesOf(chunks), { options });
          },
        }),
      ),
      "closes a stream that is not read to its end",
    ],
    [
      "does not close a stream when the reader is closed",
      lines(
        planningOf(toy, (reader, request) => reader.plan(request), {
          openStream: async (stream, { options }) => {
            const chunks = stream[Symbol.asyncIterator]();
            const begun: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => chunks };
            const reader = await toy.openStream!(begun, { options });
            return { plan: (request) => reader.plan(request) };
          },
        }),
      ),
      "closes a stream that is not read to its end",
    ],
  ])("%s", async (_, checks, expected) => {
    expect(await namesOfFailures(checks)).toContain(expected);
  });
});

async function* piecesOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* allButLast(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const chunk of stream) {
    if (last !== undefined) yield last;
    last = chunk;
  }
}

describe("the results of the checks show that a writer", () => {
  type CreateWriter = (typeof toyTable)["createWriter"];
  const writing =
    (change: (writer: BatchWriter, target: ByteTarget) => Partial<BatchWriter>): CreateWriter =>
    async (target, context) => {
      const writer = await toyTable.createWriter(target, context);
      return {
        write: (batch) => writer.write(batch),
        finish: () => writer.finish(),
        ...change(writer, target),
      };
    };
  const failuresOfWriter = (createWriter: CreateWriter): Promise<string[]> =>
    namesOfFailures(
      formatChecks(
        planningOf(toyTable, (reader, request) => reader.plan(request), { createWriter }),
        {
          fixtures: tables.slice(0, 1),
        },
      ),
    );

  test.each<[string, CreateWriter, readonly string[]]>([
    ["has no defect", writing(() => ({})), []],
    [
      "drops all batches",
      writing(() => ({ write: async () => {} })),
      ["reads back what it wrote, and its writes do not overlap", "writes slices of batches"],
    ],
    [
      "writes nothing at the end",
      writing(() => ({ finish: async () => {} })),
      [
        "reads back what it wrote, and its writes do not overlap",
        "writes slices of batches",
        "writes a valid file without batches",
        "passes on the error of its target, and neither commits nor discards the target",
      ],
    ],
    [
      "ignores the offset of a slice",
      writing((writer) => ({
        write: (batch) => {
          const whole = batch.data.children.map(({ values, type, ...rest }) =>
            makeData({ type, ...rest, data: values, offset: 0, length: batch.numRows } as never),
          );
          const type = new Struct(batch.schema.fields);
          const rows = makeData({ type, length: batch.numRows, nullCount: 0, children: whole as Data[] });
          return writer.write(new Batch(batch.schema, rows));
        },
      })),
      ["writes slices of batches"],
    ],
    [
      "does not wait for its target",
      writing((writer) => ({
        finish: async () => {
          writer.finish().catch(() => {});
        },
      })),
      [
        "reads back what it wrote, and its writes do not overlap",
        "writes slices of batches",
        "writes a valid file without batches",
        "passes on the error of its target, and neither commits nor discards the target",
      ],
    ],
    [
      "starts a write before the previous write ends",
      writing((writer, target) => ({
        finish: async () => {
          await Promise.all([writer.finish(), target.write(bytes(" "))]);
        },
      })),
      [
        "reads back what it wrote, and its writes do not overlap",
        "writes slices of batches",
        "writes a valid file without batches",
      ],
    ],
    [
      "commits its target",
      writing((writer, target) => ({
        finish: async () => {
          await writer.finish().finally(() => target.commit());
        },
      })),
      ["passes on the error of its target, and neither commits nor discards the target"],
    ],
    [
      "discards its target after an error",
      writing((writer, target) => ({
        finish: async () => {
          await writer.finish().catch(async (error: unknown) => {
            await target.discard();
            throw error;
          });
        },
      })),
      ["passes on the error of its target, and neither commits nor discards the target"],
    ],
    [
      "wraps an error from its target",
      writing((writer) => ({
        finish: () =>
          writer.finish().catch((cause: unknown) => {
            throw new TypeError("wrapped", { cause });
          }),
      })),
      ["passes on the error of its target, and neither commits nor discards the target"],
    ],
  ])("%s", async (_, createWriter, expected) => {
    expect(await failuresOfWriter(createWriter)).toEqual(expected);
  });
});
