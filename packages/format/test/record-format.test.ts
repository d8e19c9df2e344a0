import { describe, expect, test } from "@jest/globals";
import {
  defineFormat,
  type Format,
  isLendingPlan,
  type LendingPlan,
  type LentBatch,
  type PayloadDecoder,
  type PayloadSession,
  type ReadOptions,
  type ReadPlan,
  type ReadProgress,
  type ReadRequest,
  recordFormat,
} from "@tfxio/format";
import { parseSchemaText } from "@tfxio/schema";
import { type ByteSource, bytesSource, type Position, type RecordBlock } from "@tfxio/wire";
import type { RecordBatch, Vector } from "apache-arrow";
import { type LineOptions, lineContainer, type PairOptions, pairPayload } from "./toy-lines.js";

const toy = recordFormat(lineContainer, pairPayload);

const text = (content: string, uri = "memory"): ByteSource =>
  bytesSource(new TextEncoder().encode(content), uri);

/** Lines `a=0`, `a=1`, … */
const counting = (numLines: number, from = 0): string =>
  Array.from({ length: numLines }, (_, index) => `a=${from + index}\n`).join("");

async function planOf(
  sources: readonly ByteSource[],
  request: ReadRequest = {},
  options: Partial<LineOptions & PairOptions> = {},
): Promise<ReadPlan> {
  return (await toy.open(sources, { options })).plan(request);
}

/** Returns the cells of column `name` in all rows, as arrays or null. */
function valuesOf(batches: readonly RecordBatch[], name = "a"): unknown[] {
  return batches.flatMap((batch) => {
    const column = batch.getChild(name);
    return Array.from(
      { length: batch.numRows },
      (_, row) => (column?.get(row) as Vector | null)?.toJSON() ?? null,
    );
  });
}

async function readSplit(plan: ReadPlan, options: ReadOptions): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of plan.read(plan.splits[0]!, options)) batches.push(batch);
  return batches;
}

async function readAll(plan: ReadPlan): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

describe("recordFormat", () => {
  test("gives the format an id made from the ids of its parts, or the id in the options", () => {
    expect(toy.id).toBe("lines-pairs");
    expect(recordFormat(lineContainer, pairPayload, { id: "pairs" }).id).toBe("pairs");
    expect(toy.extensions).toEqual([".lines", ".lines.txt"]);
  });

  test("combines the default options of both parts", () => {
    expect(toy.defaults).toEqual({ linesAtOnce: 3, onMalformed: "error", fused: false });
  });

  test("rejects parts that have an option with the same name", () => {
    const clash: PayloadDecoder<LineOptions> = {
      id: "clash",
      defaults: { linesAtOnce: 1 },
      plan: () => Promise.reject(new TypeError("not planned")),
    };
    expect(() => recordFormat(lineContainer, clash)).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        reason: "format-definition",
        argument: "linesAtOnce",
      }),
    );
  });

  test.each<[string, object | null, string]>([
    ["null as options", null, "recordFormat: options must be an object, found null"],
    [
      "options with an empty id",
      { id: "" },
      'recordFormat: id must be a name of at least one character, found ""',
    ],
    ["options with a misspelled key", { colunmForm: "lists" }, 'recordFormat has no option "colunmForm"'],
  ])("rejects %s", (_, options, message) => {
    expect(() => recordFormat(lineContainer, pairPayload, options as never)).toThrow(
      `[invalid-argument] ${message}`,
    );
  });

  test("gives the format the module in the options", () => {
    expect(recordFormat(lineContainer, pairPayload, { module: "data:," }).module).toBe("data:,");
  });

  test("creates a format that fails to open if the assertOptions of a part rejects the options", async () => {
    const rejecting = recordFormat(
      {
        ...lineContainer,
        assertOptions: () => {
          throw new TypeError("no");
        },
      },
      pairPayload,
    );
    await expect(rejecting.open([text("")])).rejects.toThrow("no");
  });

  test("calls the assertOptions of each part with only the options of that part", async () => {
    const seen: object[] = [];
    const assertOptions = (options: object): void => void seen.push(options);
    const noting = recordFormat({ ...lineContainer, assertOptions }, { ...pairPayload, assertOptions });
    await noting.open([text("")]);
    expect(seen).toEqual([lineContainer.defaults, pairPayload.defaults]);
  });

  test("plans one split for each source, with the length of the source if it is known", async () => {
    const unknown: ByteSource = { ...text("", "y"), byteLength: undefined };
    const plan = await planOf([text("a=1\n", "x"), unknown]);
    expect(plan.splits).toEqual([
      { index: 0, uri: "x", numBytes: 4 },
      { index: 1, uri: "y" },
    ]);
  });

  test("distinguishes null from an empty list", async () => {
    const batches = await readAll(await planOf([text("a=1,2 b=\nb=3\n")]));
    expect(valuesOf(batches, "a")).toEqual([[1, 2], null]);
    expect(valuesOf(batches, "b")).toEqual([[], [3]]);
  });

  test("reads no batch from a source without records", async () => {
    expect(await readAll(await planOf([text("")]))).toEqual([]);
  });
});

describe.each([
  ["through blocks", false],
  ["through framed windows", true],
])("reading %s", (_path, fused) => {
  test("fills batches across blocks, up to the batch size", async () => {
    for (const batchSize of [1, 2, 3, 4, 7, 10, 11]) {
      const batches = await readAll(await planOf([text(counting(10))], { batchSize }, { fused }));
      const sizes = batches.map(({ numRows }) => numRows);
      expect(sizes.slice(0, -1).every((size) => size === batchSize)).toBe(true);
      expect(valuesOf(batches)).toEqual(Array.from({ length: 10 }, (_, index) => [index]));
    }
  });

  test("resumes exactly at every reported position, for every batch size and block size", async () => {
    const numLines = 11;
    for (const batchSize of [1, 2, 3, 5, 12]) {
      for (const linesAtOnce of [1, 2, 3, 4, 20]) {
        const plan = await planOf([text(counting(numLines))], { batchSize }, { fused, linesAtOnce });
        const positions: Position[] = [{ row: 0 }];
        const onProgress = ({ position }: { position: Position }): void => void positions.push(position);
        await readSplit(plan, { onProgress });
        expect(positions.map(({ row }) => row)).toEqual(
          Array.from({ length: positions.length }, (_, index) => Math.min(index * batchSize, numLines)),
        );
        for (const from of positions) {
          const rest = await readSplit(plan, { from });
          expect(valuesOf(rest)).toEqual(
            Array.from({ length: numLines - from.row }, (_, index) => [from.row + index]),
          );
        }
      }
    }
  });

  test("counts rows and skipped records, including records skipped after the last row", async () => {
    const plan = await planOf(
      [text("a=1\n!\na=2\na=3\n!\n!\n")],
      { batchSize: 2 },
      { fused, onMalformed: "skip" },
    );
    const seen: unknown[] = [];
    const onProgress = ({ numRows, numSkipped, position }: ReadProgress): void =>
      void seen.push([numRows, numSkipped, position.row]);
    expect(valuesOf(await readSplit(plan, { onProgress }))).toEqual([[1], [2], [3]]);
    expect(seen).toEqual([
      [2, 1, 3],
      [3, 3, 6],
    ]);
  });

  test("reports skipped records even if no batch follows them", async () => {
    const plan = await planOf(
      [text("a=1\n!\n")],
      { batchSize: 1 },
      { fused, onMalformed: "skip", linesAtOnce: 1 },
    );
    const skipped: number[] = [];
    await readSplit(plan, { onProgress: (now) => void skipped.push(now.numSkipped) });
    expect(skipped).toEqual([0, 1]);
  });

  test("reports the number of bytes read", async () => {
    const plan = await planOf([text("a=1\na=22\na=3\n")], { batchSize: 2 }, { fused });
    const bytes: number[] = [];
    await readSplit(plan, { onProgress: (now) => void bytes.push(now.numBytes) });
    expect(bytes).toEqual([9, 13]);
  });

  test("keeps the location of an error, yields the batches before the error, and can be repeated", async () => {
    const plan = await planOf([text("a=1\na=2\na=3\n!\na=5\n", "damaged")], { batchSize: 2 }, { fused });
    for (let attempt = 0; attempt < 2; attempt++) {
      const batches: RecordBatch[] = [];
      const read = async (): Promise<void> => {
        for await (const batch of plan.read(plan.splits[0]!)) batches.push(batch);
      };
      await expect(read()).rejects.toMatchObject({
        code: "malformed-payload",
        uri: "damaged",
        recordIndex: 3,
        byteOffset: 12,
      });
      expect(valuesOf(batches)).toEqual([[1], [2]]);
    }
  });

  test("measures the location of an error from the start of the file, even if the read resumes at a later row", async () => {
    const plan = await planOf([text("a=1\na=2\na=3\n!\n", "damaged")], {}, { fused });
    const read = async (): Promise<void> => {
      await readSplit(plan, { from: { row: 2 } });
    };
    await expect(read()).rejects.toMatchObject({ recordIndex: 3, byteOffset: 12 });
  });
});

describe("a read through blocks and one through framed windows", () => {
  const readingOf = async (
    content: string,
    options: Partial<LineOptions & PairOptions>,
    read: ReadOptions,
  ): Promise<unknown[]> => {
    const seen: unknown[] = [];
    const plan = await planOf([text(content)], { batchSize: 2 }, options);
    try {
      for await (const batch of plan.read(plan.splits[0]!, {
        ...read,
        onProgress: (progress) => void seen.push(progress),
      })) {
        seen.push(valuesOf([batch]));
      }
    } catch (error) {
      seen.push({ ...(error as object), message: (error as Error).message });
    }
    return seen;
  };

  test("report the same progress, rows and errors whichever byte is damaged", async () => {
    const whole = "a=1\na=22\n!\na=3 b=4\na=5\n!\n";
    for (const onMalformed of ["skip", "error"] as const) {
      for (let at = 0; at < whole.length; at++) {
        for (const byte of ["!", "\n", ""]) {
          const content = whole.slice(0, at) + byte + whole.slice(at + 1);
          for (const linesAtOnce of [1, 3, 10]) {
            for (const read of [{}, { from: { row: 2 } }]) {
              const through = (fused: boolean): Promise<unknown[]> =>
                readingOf(content, { onMalformed, linesAtOnce, fused }, read);
              expect(await through(false)).toEqual(await through(true));
            }
          }
        }
      }
    }
  });

  test.each([false, true])("fail if a session consumes no record (framed windows: %j)", async (fused) => {
    for (const isFull of [false, true]) {
      const stuck = recordFormat(lineContainer, {
        ...pairPayload,
        plan: async (request, options) => {
          const plan = await pairPayload.plan(request, options);
          const push = () => ({ consumed: 0, numRecords: 0, isFull });
          return { createSession: () => Object.assign(plan.createSession(), { push, pushFramed: push }) };
        },
      });
      const plan = await (await stuck.open([text("a=1\n", "some")], { options: { fused } })).plan();
      await expect(readAll(plan)).rejects.toMatchObject(
        fused && !isFull
          ? { code: "corrupt-record", reason: "framing" }
          : { code: "invalid-argument", reason: "format-output" },
      );
    }
  });
});

test("reading rows by number fails if the container's index returns a record beyond the end of its block", async () => {
  const record = new TextEncoder().encode("a=1");
  const block: RecordBlock = {
    uri: "memory",
    bytes: new Uint8Array(0),
    numRecords: 1,
    starts: Uint32Array.of(0),
    ends: Uint32Array.of(record.length),
    firstRecordIndex: 0,
    byteOffset: 0,
  };
  const index = async () => ({ numRecords: 1, read: async () => [block] });
  const beyond = recordFormat({ ...lineContainer, index }, pairPayload);
  const plan = await (await beyond.open([text("a=1\n", "some")])).plan();
  const rows = await plan.openRows!(plan.splits[0]!);
  const read = async (): Promise<void> => {
    for await (const _ of rows.read(Uint32Array.of(0)));
  };
  await expect(read()).rejects.toMatchObject({ code: "invalid-argument", reason: "record-bounds" });
});

test("a read fails if the container returns a record beyond the end of its block", async () => {
  const beyond = recordFormat(
    {
      ...lineContainer,
      async *blocks(source, context) {
        for await (const block of lineContainer.blocks(source, context)) {
          yield { ...block, ends: block.ends.map((end) => end + 10) };
        }
      },
    },
    pairPayload,
  );
  const plan = await (await beyond.open([text("a=1\n", "some")])).plan();
  await expect(readAll(plan)).rejects.toMatchObject({ code: "invalid-argument", reason: "record-bounds" });
});

describe("a read through framed windows", () => {
  test("fails if a session consumes nothing of a window, instead of requesting the same bytes forever", async () => {
    const stuck = recordFormat(
      lineContainer,
      {
        ...pairPayload,
        plan: async (request, options) => {
          const plan = await pairPayload.plan(request, options);
          return {
            createSession: () => {
              const pushFramed = () => ({ consumed: 0, numRecords: 0, isFull: false });
              return Object.assign(plan.createSession(), { pushFramed });
            },
          };
        },
      },
      { id: "stuck" },
    );
    const plan = await (await stuck.open([text("a=1\n", "some")], { options: { fused: true } })).plan();
    await expect(readAll(plan)).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "framing",
      uri: "some",
      message: expect.stringContaining("some: a complete newline record must begin at byte 0, found none."),
    });
  });
});

describe("a schema given by the caller", () => {
  test('rejects columns that it does not list if `unlisted` is "error"', async () => {
    const schema = parseSchemaText('feature { name: "a" type: FLOAT }');
    const plan = await planOf([text("a=1 b=2\n")], { schema, unlisted: "error" });
    await expect(readAll(plan)).rejects.toMatchObject({ code: "schema-mismatch", columnPath: "b" });
  });

  test("drops columns that it does not list", async () => {
    const schema = parseSchemaText('feature { name: "b" type: FLOAT }');
    const plan = await planOf([text("a=1 b=2\n")], { schema });
    expect(plan.arrowSchema?.names).toEqual(["b"]);
    const batches = await readAll(plan);
    expect(batches[0]?.schema.names).toEqual(["b"]);
  });
});

describe("leased batches", () => {
  /** Creates a format whose sessions lend batches. `held` contains each lent batch until its release. */
  const lending = (held: Set<RecordBatch>): Format<LineOptions & PairOptions> =>
    recordFormat(lineContainer, {
      ...pairPayload,
      id: "lent-pairs",
      async plan(request, options) {
        const plan = await pairPayload.plan(request, options);
        const createSession = (): PayloadSession => {
          const session = plan.createSession();
          const finishLeased = (): LentBatch => {
            const batch = session.finish();
            held.add(batch);
            return { batch, release: () => void held.delete(batch) };
          };
          return Object.defineProperties(
            { finishLeased } as unknown as PayloadSession,
            Object.getOwnPropertyDescriptors(session),
          );
        };
        return { ...plan, createSession };
      },
    });

  async function readLeased(
    format: Format<LineOptions & PairOptions>,
    request: ReadRequest = {},
  ): Promise<LentBatch[]> {
    const plan = await (await format.open([text(counting(7))])).plan(request);
    if (!isLendingPlan(plan)) throw new TypeError("the plan does not lend");
    const leases: LentBatch[] = [];
    for await (const lease of plan.readLeased(plan.splits[0]!)) leases.push(lease);
    return leases;
  }

  test("are the payload's batches, which the caller releases", async () => {
    const held = new Set<RecordBatch>();
    const leases = await readLeased(lending(held), { batchSize: 3 });
    expect(leases.map(({ batch }) => batch.numRows)).toEqual([3, 3, 1]);
    expect(valuesOf(leases.map(({ batch }) => batch))).toEqual([0, 1, 2, 3, 4, 5, 6].map((value) => [value]));
    expect(held.size).toBe(3);
    for (const { release } of leases) release();
    expect(held.size).toBe(0);
  });

  test("are available even if the payload does not lend batches, and stay valid after their release", async () => {
    const [lease, ...others] = await readLeased(toy);
    lease?.release();
    expect(others).toEqual([]);
    expect(valuesOf([lease!.batch])).toHaveLength(7);
  });

  test("are rejected if they are not record batches", async () => {
    const foreign = defineFormat({
      id: "foreign",
      extensions: [],
      defaults: {},
      contractVersion: 2,
      open: async () => ({
        plan: async (): Promise<LendingPlan> => ({
          splits: [{ index: 0, uri: "memory" }],
          async *read() {},
          async *readLeased() {
            yield { batch: {} as RecordBatch, release() {} };
          },
        }),
      }),
    });
    await expect(readLeased(foreign as Format<LineOptions & PairOptions>)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "format-output",
    });
  });
});

test("a format from recordFormat has the same type as a format from defineFormat", () => {
  const formats: readonly Format[] = [
    toy,
    defineFormat({
      id: "bare",
      extensions: [],
      defaults: {},
      contractVersion: 2,
      open: async () => ({ plan: async () => never() }),
    }),
  ];
  expect(formats.map(({ id }) => id)).toEqual(["lines-pairs", "bare"]);
});

function never(): never {
  throw new TypeError("not reached");
}
