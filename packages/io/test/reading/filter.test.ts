import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ColumnPath, parsePredicate, type Predicate } from "@tfxio/schema";
import { openTfxio, type TfxioOptions } from "../../src/index.js";
import { collect, tfRecordFile } from "../fixtures.js";
import { encodePerson, PEOPLE, people, peopleFile, type Person } from "../people.js";
import { describeBuilt } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-filter-"));
const files = [0, 1, 2].map((index) => path.join(folder, `${index}.tfrecord`));
beforeAll(() => {
  for (const [index, file] of files.entries()) writeFileSync(file, peopleFile(40 * index, 40 * index + 40));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ALL = people(0, 120);
const byId = (rows: readonly { readonly [name: string]: unknown }[]) =>
  [...rows].sort((a, b) => Number((a.id as number[])[0]) - Number((b.id as number[])[0]));

/** Returns whether any value meets the condition. Returns null, which means unknown, if the values are null. */
const any = <T>(values: readonly T[] | null, fits: (value: T) => boolean): boolean | null =>
  values === null ? null : values.some(fits);
const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
/** Predicates as text, each with a JavaScript function that returns true for the same rows. */
const CASES: readonly [text: string, keeps: (row: Person) => boolean | null][] = [
  ["id < 10", ({ id }) => any(id, (value) => value < 10)],
  ["id >= 0", () => true],
  ["id < 0", () => false],
  ["age >= 40", ({ age }) => any(age, (value) => value >= 40)],
  ["age is null", ({ age }) => age === null],
  ["not age is null", ({ age }) => age !== null],
  ["not (age >= 40)", ({ age }) => not(any(age, (value) => value >= 40))],
  ["age == 90", ({ age }) => any(age, (value) => value === 90)],
  ['country in ("DE", "FR")', ({ country }) => any(country, (value) => value === "DE" || value === "FR")],
  ['country != "DE"', ({ country }) => any(country, (value) => value !== "DE")],
  ["score <= 3.5", ({ score }) => any(score, (value) => Number(value) <= 3.5)],
  ["not (score <= 3.5)", ({ score }) => not(any(score, (value) => Number(value) <= 3.5))],
  [
    'age >= 20 and country == "US"',
    ({ age, country }) =>
      any(age, (value) => value >= 20) === true && any(country, (value) => value === "US") === true,
  ],
  [
    'age >= 45 or country == "US"',
    ({ age, country }) =>
      any(age, (value) => value >= 45) === true || any(country, (value) => value === "US") === true,
  ],
];
const naive = (keeps: (row: Person) => boolean | null): Person[] => ALL.filter((row) => keeps(row) === true);

describe("a filter", () => {
  test.each(CASES)("with the text `%s` keeps the same rows as a naive interpreter", async (filter, keeps) => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter });
    expect(await collect(tfxio.rows({ workers: 0 }))).toEqual(naive(keeps));
  });

  test.each(CASES)("with the text `%s` keeps the same rows in each shuffled epoch", async (filter, keeps) => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter });
    const rows = await collect(tfxio.rows({ shuffle: true, shuffleSeed: 4, numEpochs: 2, workers: 0 }));
    const expected = naive(keeps);
    expect(rows).toHaveLength(2 * expected.length);
    const epochs = [rows.slice(0, expected.length), rows.slice(expected.length)] as const;
    for (const epoch of epochs) expect(byId(epoch)).toEqual(expected);
    // Fewer rows could be in the same order by chance.
    if (expected.length >= 10) {
      expect(epochs[0]).not.toEqual(expected);
      expect(epochs[0]).not.toEqual(epochs[1]);
    }
  });

  test("can be given as a Predicate or as text", async () => {
    const filter: Predicate = { kind: "compare", column: ColumnPath.of("id"), op: "<", value: 3n };
    expect(parsePredicate("id < 3")).toEqual(filter);
    for (const one of [filter, "id < 3"]) {
      const tfxio = await openTfxio(files, { schema: PEOPLE, filter: one });
      expect(await collect(tfxio.rows())).toEqual(people(0, 3));
    }
  });

  test("reads the columns that it needs, and drops those that were not requested", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, columns: ["country"], filter: "age >= 40" });
    expect(tfxio.arrowSchema().names).toEqual(["country"]);
    const expected = naive(CASES[3]![1]).map(({ country }) => ({ country }));
    expect(await collect(tfxio.rows())).toEqual(expected);
    for await (const batch of tfxio.recordBatches({ batchSize: 7 })) {
      expect(batch.schema.fields.map(String)).toEqual(["country: List<Binary>"]);
    }
  });

  test("applies to projections, raw records and datasets", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter: "age >= 40" });
    const expected = naive(CASES[3]![1]);
    const projected = tfxio.project(["id"]);
    expect(await collect(projected.rows())).toEqual(expected.map(({ id }) => ({ id })));
    const elements = await projected.dataset({ shuffle: false, batchSize: 1000 }).toArray();
    expect(
      elements.map((element) => [...(element as unknown as { id: { values: BigInt64Array } }).id.values]),
    ).toEqual([expected.map(({ id }) => BigInt(id[0] as number))]);
    const raw = await collect(tfxio.rawRecords());
    expect(raw.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(expected.length);
    expect(raw.every(({ schema }) => schema.names.length === 1)).toBe(true);
    const shuffled = await collect(projected.rows({ shuffle: true, shuffleSeed: 1 }));
    expect(byId(shuffled)).toEqual(expected.map(({ id }) => ({ id })));
  });

  test("yields no batch at all, not even an empty batch, if no row passes", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter: "id > 1000" });
    expect(await collect(tfxio.recordBatches())).toEqual([]);
    expect(await collect(tfxio.recordBatches({ batchSize: 5, numEpochs: 3 }))).toEqual([]);
    expect(await collect(tfxio.recordBatches({ numEpochs: Number.POSITIVE_INFINITY }))).toEqual([]);
    expect(await tfxio.dataset({ shuffle: true }).toArray()).toEqual([]);
  });

  test("fills batches of an exact size with the rows that remain", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter: "id >= 35 and id < 50" });
    const sizes = (await collect(tfxio.recordBatches({ batchSize: 4 }))).map(({ numRows }) => numRows);
    expect(sizes).toEqual([4, 4, 4, 3]);
  });

  test("keeps raw records and row positions with their rows", async () => {
    const options = { schema: PEOPLE, rawRecordColumn: "raw", rowPositionColumn: "at" };
    const [all, some] = await Promise.all([
      openTfxio(files[0] as string, options).then((tfxio) => collect(tfxio.rows())),
      openTfxio(files[0] as string, { ...options, filter: "id in (3, 5)" }).then((tfxio) =>
        collect(tfxio.rows()),
      ),
    ]);
    expect(Object.keys(some[0] as object)).toEqual(["id", "age", "country", "score", "raw", "at"]);
    expect(some).toEqual([all[3], all[5]]);
  });

  test("uses the types of the batches if there is no schema", async () => {
    const tfxio = await openTfxio(files, { filter: "age >= 40", columns: ["id"] });
    expect(await collect(tfxio.rows())).toEqual(naive(CASES[3]![1]).map(({ id }) => ({ id })));
    const inferred = await openTfxio(files, { filter: "age >= 40", inferSchema: "full" });
    expect((await collect(inferred.rows())).map(({ id }) => id)).toEqual(
      naive(CASES[3]![1]).map(({ id }) => id),
    );
  });

  test("treats a column as null if a self-describing batch lacks the column", async () => {
    const bare = people(0, 5).map((row) => ({ ...row, age: null }));
    const sources = [bare, people(10, 20)].map((rows) => tfRecordFile(rows.map(encodePerson)));
    const ids = async (filter: string): Promise<unknown[]> => {
      const tfxio = await openTfxio(sources, { filter });
      return (await collect(tfxio.rows())).map(({ id }) => (id as number[])[0]);
    };
    expect(await ids("age >= 16")).toEqual([16, 17, 18, 19]);
    expect(await ids("age is null")).toEqual([0, 1, 2, 3, 4, 14]);
  });
});

describeBuilt("a filter in worker threads", () => {
  test.each(CASES)(
    "with the text `%s` keeps the same rows in the same order as on the calling thread",
    async (filter, keeps) => {
      const tfxio = await openTfxio(files, { schema: PEOPLE, filter });
      const reading = { workers: 2, readerNumThreads: 2 };
      expect(await collect(tfxio.rows({ ...reading, readerNumThreads: 2 }))).toEqual(
        await collect(tfxio.rows({ workers: 0, readerNumThreads: 2 })),
      );
      expect(byId(await collect(tfxio.rows(reading)))).toEqual(naive(keeps));
      const shuffled = { shuffle: true, shuffleSeed: 3, readerNumThreads: 2 };
      expect(await collect(tfxio.rows({ ...shuffled, workers: 2 }))).toEqual(
        await collect(tfxio.rows({ ...shuffled, workers: 0 })),
      );
    },
  );
});

describe("an invalid filter", () => {
  test.each([
    ["text that is not a predicate", "age >>= 3"],
    ["empty text", ""],
    ["a number", 5],
    ["null", null],
    ["an object that is not a predicate", { kind: "compare" }],
  ])("given as %s is rejected before any file is opened", async (_, filter) => {
    const options = { schema: PEOPLE, filter } as unknown as TfxioOptions;
    await expect(openTfxio("/no/such/file", options)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "predicate",
    });
  });

  test.each([{}, { columns: ["id"] }])(
    "is rejected if the schema lacks its column, with the options %j",
    async (options) => {
      await expect(
        openTfxio(files, { schema: PEOPLE, filter: "nobody == 1", ...options }),
      ).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "unknown-column",
      });
    },
  );

  test("is rejected if its value and its column are of different kinds", async () => {
    await expect(openTfxio(files, { schema: PEOPLE, filter: 'id == "one"' })).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "predicate-type",
    });
  });
});
