import { afterAll, describe, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  defineFormat,
  type Format,
  type FormatSpec,
  type PlanRequest,
  type ReadPlan,
  type Reader,
  recordFormat,
  type WriteSummary,
} from "@tfxio/format";
import { type BrokenFixture, CheckFailure, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { parseSchemaText } from "@tfxio/schema";
import { type ArgumentError, RecordError } from "@tfxio/wire";
import { Field, Float64, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { type LineOptions, lineContainer, type PairOptions, pairPayload } from "./toy-lines.js";

type ToyOptions = LineOptions & PairOptions;

const toy = recordFormat(lineContainer, pairPayload);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const described: FormatFixture<ToyOptions> = {
  name: "two sources",
  sources: [bytes("a=1 b=2,3\na=4\na=\n"), bytes("b=5\na=6 b=7\n")],
  rows: [{ a: [1], b: [2, 3] }, { a: [4], b: null }, { a: [] }, { b: [5] }, { a: [6], b: [7] }],
};
const fixtures: readonly (FormatFixture<ToyOptions> | BrokenFixture<ToyOptions>)[] = [
  described,
  { ...described, name: "two sources, fused", options: { fused: true, linesAtOnce: 1 } },
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

describe("a format that keeps its promises", () => {
  test.each(formatChecks(toy, { fixtures }))("$name", async ({ run }) => expect(await run()).toBeUndefined());
});

describe("formatChecks", () => {
  test("refuses to check nothing", () => {
    expect(() => formatChecks(toy, { fixtures: [] })).toThrow(
      expect.objectContaining({ argument: "fixtures" }),
    );
    const [broken] = fixtures.slice(-1);
    expect(() => formatChecks(toy, { fixtures: [broken!] })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "fixtures" }),
    );
  });

  test("refuses two fixtures of one name", () => {
    expect(() => formatChecks(toy, { fixtures: [described, described] })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "fixtures" }),
    );
  });

  test("gives checks of distinct names", () => {
    const names = formatChecks(toy, { fixtures }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

/** The toy with another way to plan: where a fault can be planted. */
function planning(
  plan: (reader: Reader, request: PlanRequest) => Promise<ReadPlan>,
  changes: Partial<FormatSpec<ToyOptions>> = {},
): Format<ToyOptions> {
  return defineFormat<ToyOptions>({
    id: "faulty",
    extensions: toy.extensions,
    defaults: toy.defaults,
    async open(sources, { options }) {
      const reader = await toy.open(sources, { options });
      return { plan: (request) => plan(reader, request), close: () => reader.close() };
    },
    ...changes,
  });
}

/** The toy whose reads go through `read`. */
function reading(
  read: (batches: AsyncIterable<RecordBatch>) => AsyncIterable<RecordBatch>,
): Format<ToyOptions> {
  return planning(async (reader, request) => {
    const plan = await reader.plan(request);
    return { ...plan, read: (split, options) => read(plan.read(split, options)) };
  });
}

async function failuresOf(format: Format<ToyOptions>): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of formatChecks(format, { fixtures: [described, ...fixtures.slice(-1)] })) {
    try {
      await run();
    } catch (error) {
      // What a reader refuses to hand out comes as the reader's own error.
      if ((error as ArgumentError).reason !== "format-output") expect(error).toBeInstanceOf(CheckFailure);
      failures.push(name.replace(/^.*?: /, ""));
    }
  }
  return failures;
}

describe("a format with a fault fails the checks on it, and no other", () => {
  const truncation = "meets a cut file with a coded error that names it, and closes";
  const damage = "is refused with malformed-payload, naming the source, and closes";
  const leftEarly = "closes when the loop is left early";

  test.each<[string, Format<ToyOptions>, readonly string[]]>([
    ["none", planning((reader, request) => reader.plan(request)), []],
    [
      "ignores the columns asked for",
      planning((reader, request) => reader.plan({ ...request, columns: undefined })),
      ["reads exactly the columns asked for", "counts rows of which no column is read"],
    ],
    [
      "ignores the batch size",
      planning((reader, request) => reader.plan({ ...request, batchSize: undefined })),
      ["keeps to the batch size"],
    ],
    [
      "ignores the raw record column",
      planning((reader, request) => reader.plan({ ...request, rawRecordColumn: undefined })),
      ["appends the raw record column, or says that it has none"],
    ],
    [
      "ignores that a schema is to be inferred",
      planning((reader, request) => reader.plan({ ...request, inferSchema: undefined })),
      ["reads through a schema that it inferred, or says that it cannot infer"],
    ],
    [
      "begins anew instead of at a position",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        return { ...plan, read: (split, options) => plan.read(split, { ...options, from: undefined }) };
      }),
      ["goes on from every position that it reported"],
    ],
    [
      "reports nothing",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        return { ...plan, read: (split, options) => plan.read(split, { ...options, onProgress: undefined }) };
      }),
      ["goes on from every position that it reported", "reports progress before each batch"],
    ],
    [
      "claims another Arrow schema",
      planning(async (reader, request) => ({
        ...(await reader.plan(request)),
        arrowSchema: new ArrowSchema([new Field("a", new Float64(), true)]),
      })),
      ["gives batches of the plan's Arrow schema, none of them empty"],
    ],
    [
      "lists its splits backwards",
      planning(async (reader, request) => {
        const plan = await reader.plan(request);
        const backwards = plan.splits.toReversed().map((split, index) => ({ ...split, index }));
        return {
          ...plan,
          splits: backwards,
          read: (split, options) => plan.read(plan.splits[plan.splits.length - 1 - split.index]!, options),
        };
      }),
      [
        "reads every row",
        "reads the same rows from one plan twice, also at once",
        "gives splits that are ordered, disjoint and complete",
        "reads splits that went through JSON, by a plan of another reader",
        "reads exactly the columns asked for",
      ],
    ],
    [
      "forgets to close when the loop is left",
      reading((batches) => {
        const inner = batches[Symbol.asyncIterator]();
        return { [Symbol.asyncIterator]: () => ({ next: () => inner.next() }) };
      }),
      [leftEarly, "stops between batches when aborted, with the signal's reason, and closes"],
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
      ["leaves a batch as it was when it reads on"],
    ],
    [
      "gives empty batches",
      reading(async function* (batches) {
        for await (const batch of batches) {
          yield batch;
          yield batch.slice(0, 0);
        }
      }),
      ["gives batches of the plan's Arrow schema, none of them empty", "keeps to the batch size"],
    ],
    [
      "throws what has no code",
      reading(async function* (batches) {
        try {
          yield* batches;
        } catch (cause) {
          throw new TypeError("what now", { cause });
        }
      }),
      [truncation, damage],
    ],
    [
      "does not say where an error is",
      reading(async function* (batches) {
        try {
          yield* batches;
        } catch (cause) {
          throw new RecordError("malformed-payload", "somewhere", { cause });
        }
      }),
      [truncation, damage],
    ],
    [
      "recognises everything as its own",
      planning((reader, request) => reader.plan(request), { sniff: () => true }),
      ["is found by its first bytes, and not by none"],
    ],
  ])("%s", async (_, format, expected) => {
    expect(await failuresOf(format)).toEqual(expected);
  });

  test("ignores columns that the schema lacks", async () => {
    const format = planning((reader, request) => {
      const columns = request.columns?.filter(({ steps }) => steps[0] !== "no-such-column");
      return reader.plan({ ...request, columns: columns?.length === 0 ? undefined : columns });
    });
    const withSchema = fixtures.slice(2, 3);
    const checks = formatChecks(format, { fixtures: withSchema });
    const check = checks.find(({ name }) => name.endsWith("refuses a column that the schema lacks"));
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

  test("confuses null with an empty list", async () => {
    const confused = { ...described, rows: described.rows.map((row) => ({ a: [], b: [], ...row })) };
    const [check] = formatChecks(toy, { fixtures: [confused] });
    await expect(check?.run()).rejects.toThrow(/row 2, column "b": expected \[\], found null/);
  });
});

describe("a format that writes", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "tfxio-format-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let numTargets = 0;
  const writeTarget = (): string => path.join(folder, `target-${numTargets++}.lines`);
  const toLine = (row: Record<string, Iterable<number> | null>): string =>
    Object.entries(row)
      .filter(([, values]) => values !== null)
      .map(([name, values]) => `${name}=${[...values!].join(",")}`)
      .join(" ");
  const writing = (write: NonNullable<FormatSpec<ToyOptions>["write"]>): Format<ToyOptions> =>
    planning((reader, request) => reader.plan(request), { write });
  const writeChecksOf = (format: Format<ToyOptions>) =>
    formatChecks(format, { fixtures: [described], writeTarget }).filter(({ name }) =>
      /wrote|left? ?behind|leaves/.test(name),
    );

  const atOnce = writing(async (batches, target): Promise<WriteSummary> => {
    const lines: string[] = [];
    for await (const batch of batches) {
      for (const row of batch) lines.push(toLine(row.toJSON()));
    }
    const content = lines.map((line) => `${line}\n`).join("");
    writeFileSync(target, content);
    return { uris: [target], numRows: lines.length, numBytes: content.length };
  });

  describe("and keeps its promises", () => {
    test.each(writeChecksOf(atOnce))("$name", async ({ run }) => expect(await run()).toBeUndefined());
  });

  test("needs a place to write to", () => {
    expect(() => formatChecks(atOnce, { fixtures })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "writeTarget" }),
    );
  });

  test("fails when it writes as it goes, and leaves a part", async () => {
    const careless = writing(async (batches, target) => {
      writeFileSync(target, "");
      return atOnce.write!(batches, target);
    });
    const check = writeChecksOf(careless).find(({ name }) =>
      name.endsWith("leaves nothing behind when its batches fail"),
    );
    await expect(check?.run()).rejects.toBeInstanceOf(CheckFailure);
  });

  test("is refused options that it lacks", async () => {
    const options = { noSuchOption: 1 } as never;
    async function* none(): AsyncGenerator<RecordBatch> {}
    await expect(atOnce.write?.(none(), writeTarget(), { options })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "unknown-option",
    });
  });
});
