import { describe, expect, test } from "@jest/globals";
import { type ReadPlan, type ReadRequest, recordFormat, type ShuffledRead } from "@tfxio/format";
import { linesContainer } from "@tfxio/format/containers";
import { parseSchemaText } from "@tfxio/schema";
import { type ByteSource, SchemaError } from "@tfxio/wire";
import type { RecordBatch, Vector } from "apache-arrow";
import { chunked, utf8 } from "./sources.js";
import { type LineOptions, lineContainer, type PairOptions, pairPayload } from "./toy-lines.js";

const toy = recordFormat(linesContainer, pairPayload, { id: "toy" });

const upTo = (end: number, start = 0): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);
const numbered = (end: number, start = 0): string =>
  upTo(end, start)
    .map((value) => `a=${value}\n`)
    .join("");

interface Setting extends Partial<ShuffledRead> {
  readonly request?: ReadRequest;
  readonly chunkBytes?: number;
  readonly options?: Partial<PairOptions>;
  readonly from?: number;
  readonly onBatch?: (batch: RecordBatch) => void;
}

/** Returns the values of column `a` from a shuffled read of all these files. */
async function shuffled(files: readonly string[], setting: Setting = {}): Promise<number[]> {
  const { request, chunkBytes = 64, options, from, onBatch, ...shuffle } = setting;
  const sources = files.map((text, index): ByteSource => chunked(utf8(text), chunkBytes, `file-${index}`));
  const plan = await (await toy.open(sources, { options })).plan(request);
  const [first, ...others] = plan.splits;
  const found: number[] = [];
  for await (const batch of plan.read(first!, {
    from: from === undefined ? undefined : { row: from },
    shuffle: { seed: 1, numRows: 1000, with: others, ...shuffle },
  })) {
    onBatch?.(batch);
    const column = batch.getChild("a");
    for (let row = 0; row < batch.numRows; row++) found.push((column!.get(row) as Vector).get(0) as number);
  }
  return found;
}

const sorted = (values: readonly number[]): number[] => values.toSorted((left, right) => left - right);

describe("a shuffled read", () => {
  test("yields every row once, in an order that the seed determines", async () => {
    const files = [numbered(50), numbered(120, 50)];
    const order = await shuffled(files);
    expect(sorted(order)).toEqual(upTo(120));
    expect(order).not.toEqual(upTo(120));
    expect(await shuffled(files)).toEqual(order);
    expect(await shuffled(files, { seed: 2 })).not.toEqual(order);
  });

  test("has the same order for every batch size, in rows or in bytes, and every chunk size", async () => {
    const files = [numbered(40), numbered(55, 40), numbered(200, 55)];
    for (const numRows of [1, 2, 30, 1000]) {
      const order = await shuffled(files, { numRows });
      for (const batchSize of [1, 3, 64]) {
        expect(await shuffled(files, { numRows, request: { batchSize } })).toEqual(order);
      }
      for (const batchBytes of [1, 10, 2 ** 20]) {
        expect(await shuffled(files, { numRows, request: { batchBytes } })).toEqual(order);
      }
      for (const chunkBytes of [1, 2, 7, 100, 10_000]) {
        expect(await shuffled(files, { numRows, chunkBytes })).toEqual(order);
      }
    }
  });

  test("yields every row once if a batch ends while the queue of drawn records is full", async () => {
    // At most 1,024 records wait to be decoded.
    for (const batchSize of [512, 1024, 2048, 4096]) {
      const order = await shuffled([numbered(5000)], {
        numRows: 100,
        chunkBytes: 10_000,
        request: { batchSize },
      });
      expect(sorted(order)).toEqual(upTo(5000));
    }
  });

  test("resumes at every row, in the same order", async () => {
    const files = [numbered(10), numbered(25, 10)];
    const order = await shuffled(files, { numRows: 7 });
    for (let from = 0; from <= 25; from++) {
      expect(await shuffled(files, { numRows: 7, from })).toEqual(order.slice(from));
    }
    expect(await shuffled(files, { numRows: 7, from: 99 })).toEqual([]);
  });

  test("draws each row from a pool of the requested size", async () => {
    const numRows = 10;
    const order = await shuffled([numbered(200)], { numRows });
    // Row n enters the pool at draw n - 9.
    for (const [draw, value] of order.entries()) expect(value).toBeLessThan(draw + numRows);
    expect(await shuffled([numbered(200)], { numRows: 1 })).toEqual(upTo(200));
  });

  test("is uniform: over many seeds, the first record is equally likely to land in each position", async () => {
    const numRows = 8;
    const numSeeds = 2000;
    const counts = Array.from({ length: numRows }, () => 0);
    for (let seed = 0; seed < numSeeds; seed++) {
      counts[(await shuffled([numbered(numRows)], { seed, numRows })).indexOf(0)]!++;
    }
    const expected = numSeeds / numRows;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // With 7 degrees of freedom, chi-square exceeds 24.32 once in a thousand times (NIST handbook, table 1.3.6.7.4).
    expect(chiSquare).toBeLessThan(24.32);
  });

  test("mixes sources that each contain only one label", async () => {
    const [perFile, window] = [3000, 300];
    const files = [0, 1, 2].map((label) => `a=${label}\n`.repeat(perFile));
    const order = await shuffled(files, { numRows: 300 });
    for (let at = 0; at + window <= order.length; at += window) {
      for (const label of [0, 1, 2]) {
        const count = order.slice(at, at + window).filter((value) => value === label).length;
        // One third, within 5 standard deviations: sqrt(300 / 3 * 2 / 3) is 8.2.
        expect(Math.abs(count - window / 3)).toBeLessThan(5 * 8.2);
      }
    }
  });

  test("reads all rows of 20 sources with at most 8 sources open at a time", async () => {
    let [numOpen, most] = [0, 0];
    const sources = upTo(20).map((index): ByteSource => {
      const source = chunked(utf8(numbered(10 * index + 10, 10 * index)), 8, `file-${index}`);
      return {
        ...source,
        async *stream(options) {
          most = Math.max(most, ++numOpen);
          try {
            yield* source.stream(options);
          } finally {
            numOpen--;
          }
        },
      };
    });
    const plan = await (await toy.open(sources)).plan();
    const [first, ...others] = plan.splits;
    const found: number[] = [];
    for await (const batch of plan.read(first!, { shuffle: { seed: 3, numRows: 25, with: others } })) {
      for (const row of batch) found.push((row["a"] as Vector).get(0) as number);
    }
    expect(sorted(found)).toEqual(upTo(200));
    expect([numOpen, most]).toEqual([0, 8]);
  });

  test("closes all of its sources if it is closed early", async () => {
    let numOpen = 0;
    const source = chunked(utf8(numbered(500)), 8);
    const watched: ByteSource = {
      ...source,
      async *stream(options) {
        numOpen++;
        try {
          yield* source.stream(options);
        } finally {
          numOpen--;
        }
      },
    };
    const plan = await (await toy.open([watched, watched])).plan({ batchSize: 2 });
    for await (const _ of plan.read(plan.splits[0]!, {
      shuffle: { seed: 1, numRows: 4, with: plan.splits.slice(1) },
    })) {
      expect(numOpen).toBe(2);
      break;
    }
    expect(numOpen).toBe(0);
  });

  test("reports the split and position of each row, even if malformed records are skipped", async () => {
    const files = ["a=0\n!\na=1\n", "a=2\n!\n!\na=3\n"];
    const origins = new Map<number, string>();
    const seen: number[] = await shuffled(files, {
      request: { rowPositionColumn: "position", batchSize: 2 },
      splitIndexColumn: "split",
      options: { onMalformed: "skip" },
      onBatch(batch) {
        for (const row of batch) {
          const value = (row["a"] as Vector).get(0) as number;
          origins.set(value, `${String(row["split"])} ${String(row["position"])}`);
        }
      },
    });
    expect(sorted(seen)).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].map((value) => origins.get(value))).toEqual(["0 0", "0 6", "1 0", "1 8"]);
  });

  test("names the location of a malformed record in its file", async () => {
    const files = [numbered(30), `${numbered(20)}!\n${numbered(20)}`];
    for (const request of [{}, { batchSize: 3 }, { rowPositionColumn: "position" }]) {
      await expect(shuffled(files, { request })).rejects.toMatchObject({
        code: "malformed-payload",
        uri: "file-1",
        recordIndex: 20,
        // Ten lines of four bytes and ten of five.
        byteOffset: 90,
      });
    }
  });

  test("names the location of a record with an unlisted column", async () => {
    const schema = parseSchemaText('feature { name: "a" type: FLOAT }');
    const request = { schema, unlisted: "error" } as const;
    await expect(shuffled([numbered(9), "a=1\nb=2\n"], { request })).rejects.toMatchObject({
      code: "schema-mismatch",
      uri: "file-1",
      recordIndex: 1,
      byteOffset: 4,
      columnPath: "b",
    });
  });

  test.each(["push", "finish"] as const)(
    "names the location of a record that %s rejects only because of earlier records",
    async (when) => {
      const picky = recordFormat(linesContainer, {
        ...pairPayload,
        plan: async (request, options) => {
          const plan = await pairPayload.plan(request, options);
          return {
            ...plan,
            createSession() {
              const session = plan.createSession();
              const lines: { readonly text: string; readonly recordIndex: number }[] = [];
              const failAt = (at: number): never => {
                const { recordIndex } = lines[at]!;
                lines.length = 0;
                throw new SchemaError("schema-mismatch", "it differs from the others", {
                  reason: "wrong-kind",
                  columnPath: "a",
                  recordIndex,
                });
              };
              const check = (): void => {
                const at = lines.findIndex(({ text }) => text === "a=7");
                if (at > 0) failAt(at);
              };
              return {
                get numRows() {
                  return session.numRows;
                },
                numSkipped: 0,
                push(block, from, limits) {
                  const progress = session.push(block, from, limits);
                  for (let index = from; index < from + progress.consumed; index++) {
                    const text = new TextDecoder().decode(
                      block.bytes.subarray(block.starts[index], block.ends[index]),
                    );
                    lines.push({ text, recordIndex: block.firstRecordIndex + index });
                  }
                  if (when === "push") check();
                  return progress;
                },
                finish() {
                  check();
                  lines.length = 0;
                  return session.finish();
                },
              };
            },
          };
        },
      });
      const plan: ReadPlan = await (await picky.open([chunked(utf8(numbered(12)), 5, "some")])).plan({
        batchSize: 12,
      });
      const read = async (): Promise<void> => {
        for await (const _ of plan.read(plan.splits[0]!, { shuffle: { seed: 1, numRows: 50 } }));
      };
      await expect(read()).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "wrong-kind",
        columnPath: "a",
        uri: "some",
        recordIndex: 7,
        byteOffset: 28,
        cause: expect.objectContaining({ reason: "wrong-kind" }),
      });
    },
  );

  test.each([false, true])(
    "fails if a session consumes no record and reports isFull as %j",
    async (isFull) => {
      const stuck = recordFormat(linesContainer, {
        ...pairPayload,
        plan: async (request, options) => {
          const plan = await pairPayload.plan(request, options);
          const push = () => ({ consumed: 0, numRecords: 0, isFull });
          return { createSession: () => Object.assign(plan.createSession(), { push }) };
        },
      });
      const plan = await (await stuck.open([chunked(utf8("a=1\n"), 9)])).plan();
      const read = async (): Promise<void> => {
        for await (const _ of plan.read(plan.splits[0]!, { shuffle: { seed: 1, numRows: 5 } }));
      };
      await expect(read()).rejects.toMatchObject({ code: "invalid-argument", reason: "format-output" });
    },
  );

  test("rejects a split index column with the name of a data column or of the row position column", async () => {
    for (const setting of [
      { splitIndexColumn: "a" },
      { splitIndexColumn: "at", request: { rowPositionColumn: "at" } },
    ]) {
      await expect(shuffled(["a=1\n"], setting)).rejects.toMatchObject({
        code: "invalid-argument",
        reason: "row-column-collision",
      });
    }
  });
});

describe("row positions", () => {
  const framed = recordFormat<LineOptions, PairOptions>(lineContainer, pairPayload);

  test.each([false, true])(
    "are byte offsets of the frames, even after skipped records (framed windows: %j)",
    async (fused) => {
      const source = chunked(utf8("a=1\n!\na=22\n!\n!\na=3\n"), 6);
      for (const batchSize of [1, 2, 100]) {
        const reader = await framed.open([source], { options: { onMalformed: "skip", fused } });
        const plan = await reader.plan({ rowPositionColumn: "at", batchSize });
        for (const [from, expected] of [
          [undefined, [0n, 6n, 15n]],
          [{ row: 1 }, [6n, 15n]],
          [{ row: 4 }, [15n]],
        ] as const) {
          const found: unknown[] = [];
          for await (const batch of plan.read(plan.splits[0]!, { from })) {
            found.push(...batch.getChild("at")!.toArray());
          }
          expect(found).toEqual(expected);
        }
      }
    },
  );

  test("are in the plan's Arrow schema as non-nullable int64", async () => {
    const schema = parseSchemaText('feature { name: "a" type: FLOAT }');
    const plan = await (await toy.open([chunked(utf8("a=1\n"), 9)])).plan({
      schema,
      rowPositionColumn: "at",
    });
    expect(plan.arrowSchema?.fields.map((field) => `${String(field)} ${field.nullable}`)).toEqual([
      "a: List<Float32> true",
      "at: Int64 false",
    ]);
  });

  test("cannot take the name of another column: with a schema, the plan rejects the name, otherwise the read does", async () => {
    const reader = await toy.open([chunked(utf8("a=1\n"), 9)]);
    const collision = {
      code: "invalid-argument",
      reason: "row-column-collision",
      argument: "rowPositionColumn",
    };
    const schema = parseSchemaText('feature { name: "a" type: FLOAT }');
    await expect(reader.plan({ schema, rowPositionColumn: "a" })).rejects.toMatchObject(collision);
    await expect(reader.plan({ schema, rowPositionColumn: "r", rawRecordColumn: "r" })).rejects.toMatchObject(
      collision,
    );
    const plan = await reader.plan({ rowPositionColumn: "a" });
    const read = async (): Promise<void> => {
      for await (const _ of plan.read(plan.splits[0]!));
    };
    await expect(read()).rejects.toMatchObject(collision);
  });
});
