import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createFormatRegistry, defineFormat } from "@tfxio/format";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { type ByteSource, bytesSource } from "@tfxio/wire";
import {
  describeRead,
  openRead,
  openTfxio,
  type ReadDescription,
  type Tfxio,
  type TfxioInput,
  type TfxioOptions,
} from "../../src/index.js";
import { collect } from "../fixtures.js";
import { runProgram } from "../node-program.js";
import { PEOPLE, peopleFile } from "../people.js";
import { describeBuilt, importTable, importToy, tableFile } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-describe-"));
const inFolder = (name: string): string => path.join(folder, name);
const files = [inFolder("0.tfrecord"), inFolder("1[a].tfrecord.gz")];
const sourceCopy = inFolder("changing.tfrecord");
beforeAll(() => {
  writeFileSync(files[0] as string, peopleFile(0, 40));
  writeFileSync(files[1] as string, gzipSync(peopleFile(40, 90)));
  writeFileSync(sourceCopy, peopleFile(0, 5));
  writeFileSync(inFolder("rows.table"), tableFile([{ id: 1, weight: 0.1 }, { id: 2 }, { id: 3, name: "c" }]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const throughJson = (tfxio: Tfxio): ReadDescription =>
  JSON.parse(JSON.stringify(describeRead(tfxio))) as ReadDescription;

const GROUPED = parseSchemaText(`
  feature { name: "id" type: INT } feature { name: "age" type: INT }
  tensor_representation_group {
    key: "serving"
    value { tensor_representation { key: "ids" value { varlen_sparse_tensor { column_name: "id" } } } }
  }`);

const CASES: readonly [string, TfxioOptions, (tfxio: Tfxio) => Tfxio][] = [
  ["a schema", { schema: PEOPLE }, (tfxio) => tfxio],
  ["no schema", {}, (tfxio) => tfxio],
  ["an inferred schema", { inferSchema: "full" }, (tfxio) => tfxio],
  ["selected columns", { schema: PEOPLE, columns: ["id", ColumnPath.of("score")] }, (tfxio) => tfxio],
  ["a projection", { schema: PEOPLE }, (tfxio) => tfxio.project(["age", "id"])],
  [
    "a filter",
    { schema: PEOPLE, filter: 'country in ("DE", "FR") and not age >= 20', columns: ["id"] },
    (tfxio) => tfxio,
  ],
  ["a filter but no schema", { filter: "score > 3.25 or age is null" }, (tfxio) => tfxio],
  ["a part of a split", { schema: PEOPLE }, (tfxio) => tfxio.split({ validation: 0.3, seed: 9 }).validation],
  [
    "a part of a split by the values of a column",
    { schema: PEOPLE, columns: ["id"] },
    (tfxio) => tfxio.split({ validation: 0.3, seed: 9, by: "age" }).train,
  ],
  [
    "raw records and row positions",
    { schema: PEOPLE, rawRecordColumn: "raw", rowPositionColumn: "at" },
    (tfxio) => tfxio,
  ],
  [
    "format options",
    { schema: PEOPLE, formatOptions: { onMalformed: "skip", listType: "large" } },
    (tfxio) => tfxio,
  ],
  [
    "limits and a batch size in bytes",
    { schema: PEOPLE, limits: { maxRecordBytes: 5000 }, batchBytes: 500 },
    (tfxio) => tfxio,
  ],
  ["stored columns", { schema: PEOPLE, columnForm: "stored" }, (tfxio) => tfxio],
  ["a representation group", { schema: GROUPED, representationGroup: "serving" }, (tfxio) => tfxio],
];

describe("a described read", () => {
  test.each(CASES)(
    "with %s yields the same rows after a round trip through JSON",
    async (_, options, part) => {
      const tfxio = part(await openTfxio(files, options));
      const description = throughJson(tfxio);
      expect(description).toEqual(describeRead(tfxio));
      const again = await openRead(description);
      expect(await collect(again.rows())).toEqual(await collect(tfxio.rows()));
      const shuffle = { shuffle: true, shuffleSeed: 1 };
      if (options.schema !== undefined) {
        expect(await collect(again.rows(shuffle))).toEqual(await collect(tfxio.rows(shuffle)));
        expect(again.schema()).toEqual(tfxio.schema());
        expect(String(again.arrowSchema())).toBe(String(tfxio.arrowSchema()));
        expect([...again.tensorRepresentations().keys()].sort()).toEqual(
          [...tfxio.tensorRepresentations().keys()].sort(),
        );
      }
      expect(describeRead(again)).toEqual(description);
      await again.close();
    },
  );

  test("has a description of version 1 with the paths of its sources; equal reads have the same JSON", async () => {
    const description = describeRead(await openTfxio(files, { schema: PEOPLE }));
    expect(JSON.stringify(describeRead(await openTfxio(files, { schema: PEOPLE })))).toBe(
      JSON.stringify(description),
    );
    expect(throughJson(await openTfxio(files, { schema: PEOPLE }))).toEqual(description);
    expect(description.version).toBe(1);
    expect(description.sources.map(({ origin }) => origin)).toEqual(files);
  });

  test("is opened by importing the module of its format, with the same format options", async () => {
    const table = await importTable();
    const tfxio = await openTfxio(inFolder("rows.table"), { format: table, formatOptions: { splitRows: 2 } });
    const again = await openRead(throughJson(tfxio));
    expect(await collect(again.rows())).toEqual(await collect(tfxio.rows()));
    expect((await again.plan()).splits).toHaveLength(2);
  });

  test.each([
    ["tfrecord-example", "tfrecord"],
    ["tfrecord-sequence-example", "sequence-tfrecord"],
  ])("can be opened with the former format id %s", async (formerId, id) => {
    const described = throughJson(await openTfxio(files, { schema: PEOPLE, format: id }));
    expect(described.format.id).toBe(id);
    const tfxio = await openRead({ ...described, format: { ...described.format, id: formerId } });
    expect(await collect(tfxio.rows())).toHaveLength(90);
    expect(describeRead(tfxio)).toEqual(described);
  });

  test("is opened from a source that hands over its slices, as openTfxio's source does", async () => {
    const table = await importTable();
    const opened: ByteSource[] = [];
    const noting = defineFormat({
      ...table,
      open: (sources: readonly ByteSource[], options: never) => {
        opened.push(...sources);
        return table.open(sources, options);
      },
    });
    const tfxio = await openTfxio(inFolder("rows.table"), { format: noting });
    const again = await openRead(throughJson(tfxio), { formats: createFormatRegistry(noting) });
    const [source, described] = opened;
    expect(source?.handsOverSlices).toBe(true);
    await described?.slice(0, 1);
    expect(described?.handsOverSlices).toBe(true);
    expect(await collect(again.rows())).toEqual(await collect(tfxio.rows()));
    await again.close();
  });

  test("opens, but fails while its rows are read, if a source has changed since the description was made", async () => {
    const description = throughJson(await openTfxio(sourceCopy, { schema: PEOPLE }));
    writeFileSync(sourceCopy, peopleFile(5, 10));
    utimesSync(sourceCopy, new Date(0), new Date(1000));
    const again = await openRead(description);
    await expect(collect(again.rows())).rejects.toMatchObject({
      code: "io-failed",
      reason: "source-changed",
      uri: sourceCopy,
    });
  });

  test("reports a source that no longer exists", async () => {
    const gone = inFolder("gone.tfrecord");
    writeFileSync(gone, peopleFile(0, 1));
    const description = throughJson(await openTfxio(gone, { schema: PEOPLE }));
    rmSync(gone);
    await expect(collect((await openRead(description)).rows())).rejects.toMatchObject({ code: "not-found" });
  });

  test("can be opened from a different working directory", async () => {
    const cwd = process.cwd();
    try {
      process.chdir(folder);
      const tfxio = await openTfxio("0.tfrecord", { schema: PEOPLE });
      const description = throughJson(tfxio.split({ validation: 0.5 }).validation);
      const expected = await collect(tfxio.split({ validation: 0.5 }).validation.rows());
      process.chdir(tmpdir());
      expect(await collect((await openRead(description)).rows())).toEqual(expected);
    } finally {
      process.chdir(cwd);
    }
  });
});

describeBuilt("a described read outside this thread", () => {
  test("yields the same rows in another process", async () => {
    const tfxios = await Promise.all(
      CASES.map(async ([, options, part]) => part(await openTfxio(files, options))),
    );
    const descriptions = tfxios.map((tfxio) => describeRead(tfxio));
    const found = runProgram(`
      import { openRead } from "@tfxio/io";
      const all = [];
      for (const description of ${JSON.stringify(descriptions)}) {
        const rows = [];
        for await (const row of (await openRead(description)).rows()) rows.push(row);
        all.push(rows);
      }
      console.log(JSON.stringify(all));`);
    const expected = await Promise.all(tfxios.map((tfxio) => collect(tfxio.rows())));
    expect(found).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  test("yields the same rows in worker threads", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, filter: "age >= 20" });
    const again = await openRead(throughJson(tfxio.split({ validation: 0.4 }).train));
    const reading = { workers: 2, readerNumThreads: 2 };
    expect(await collect(again.rows(reading))).toEqual(
      await collect(tfxio.split({ validation: 0.4 }).train.rows({ readerNumThreads: 2, workers: 0 })),
    );
  });
});

describe("describeRead", () => {
  const ownFormat = defineFormat({
    id: "own",
    contractVersion: 2,
    extensions: [],
    defaults: { hook: null },
    open: async () => ({ plan: async () => ({ splits: [], async *read() {} }) }),
  });
  const bytes = peopleFile(0, 1);
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  test.each<[string, TfxioInput, string]>([
    ["bytes", bytes, "worker-source"],
    ["a Blob", new Blob([bytes]), "worker-source"],
    ["a File", new File([bytes], "0.tfrecord"), "worker-source"],
    ["a custom source", { ...bytesSource(bytes), origin: undefined, uri: "mine" }, "worker-source"],
    ["a function that returns streams", () => stream(), "worker-source"],
    ["a stream", stream(), "worker-source"],
  ])("rejects a read of %s", async (_, input, reason) => {
    const tfxio = await openTfxio(input, { schema: PEOPLE });
    expect(() => describeRead(tfxio)).toThrow(expect.objectContaining({ code: "unsupported", reason }));
  });

  test("says that a read of bytes cannot be repeated in another process, and a read of a custom source not even in another thread", async () => {
    const inMemory = await openTfxio(bytes, { schema: PEOPLE });
    expect(() => describeRead(inMemory)).toThrow(
      /cannot be repeated in another process: .* exists only in the memory of this process\.$/,
    );
    const own = { ...bytesSource(bytes), origin: undefined, uri: "mine" };
    const custom = await openTfxio(own, { schema: PEOPLE });
    expect(() => describeRead(custom)).toThrow("cannot be repeated in another thread or process: mine can");
  });

  test("rejects a read in a custom format without a module", async () => {
    const tfxio = await openTfxio(files, { format: ownFormat });
    expect(() => describeRead(tfxio)).toThrow(
      expect.objectContaining({ code: "unsupported", reason: "worker-format" }),
    );
  });

  const ring: Record<string, unknown> = {};
  ring["ring"] = ring;
  test.each<[string, unknown]>([
    ["a function", () => 1],
    ["a class instance", new URL("file:///a")],
    ["NaN", Number.NaN],
    ["a bigint", 1n],
    ["a Map", new Map([["a", 1]])],
    ["a Date", new Date(0)],
    ["bytes", Uint8Array.of(1)],
    ["a list with an undefined element", [undefined]],
    ["a cyclic object", ring],
  ])("rejects a read with %s among the format options", async (_, value) => {
    const format = defineFormat({
      id: "own",
      contractVersion: 2,
      extensions: [],
      defaults: { hook: null },
      module: "file:///own.mjs",
      open: async () => ({ plan: async () => ({ splits: [], async *read() {} }) }),
    });
    const tfxio = await openTfxio(files, { format, formatOptions: { hook: value } });
    expect(() => describeRead(tfxio)).toThrow(
      expect.objectContaining({ code: "unsupported", reason: "worker-options" }),
    );
  });

  test("rejects a value that is not a TFXIO", () => {
    for (const value of [undefined, null, {}, "tfxio", 3]) {
      expect(() => describeRead(value as never)).toThrow(
        expect.objectContaining({ code: "invalid-argument" }),
      );
    }
  });
});

describe("openRead", () => {
  type Damage = (description: object) => unknown;
  const set =
    (keys: string, value: unknown): Damage =>
    (description) => {
      const steps = keys.split(".");
      const last = steps.pop() as string;
      let target = description as Record<string, unknown>;
      for (const step of steps) target = target[step] as Record<string, unknown>;
      if (value === undefined) delete target[last];
      else target[last] = value;
      return description;
    };
  test.each<[string, Damage]>([
    ["undefined instead of an object", () => undefined],
    ["null instead of an object", () => null],
    ["text instead of an object", () => "description"],
    ["a list instead of an object", () => []],
    ["no version", set("version", undefined)],
    ["an unknown version", set("version", 2)],
    ["text for the version", set("version", "1")],
    ["no format", set("format", undefined)],
    ["null for the format", set("format", null)],
    ["no format id", set("format.id", undefined)],
    ["a number for the format id", set("format.id", 3)],
    ["a number for the module", set("format.module", 3)],
    ["a list for the format options", set("format.options", [])],
    ["text for the format options", set("format.options", "gzip")],
    ["text for the limits", set("format.limits", "none")],
    ["an unknown format option", set("format.options", { nothing: 1 })],
    ["an unknown limit", set("format.limits", { nothing: 1 })],
    ["no sources", set("sources", undefined)],
    ["an empty list of sources", set("sources", [])],
    ["null among the sources", set("sources", [null])],
    ["a source without a URI", set("sources.0.uri", undefined)],
    ["a number for a URI", set("sources.0.uri", 3)],
    ["a number for an origin", set("sources.0.origin", 3)],
    ["a number for the version of a source", set("sources.0.version", 3)],
    ["text for a byte length", set("sources.0.byteLength", "3")],
    ["a negative byte length", set("sources.0.byteLength", -1)],
    ["the index of a missing Blob", set("sources.0.blob", 0)],
    ["the index of a missing store", set("sources.0.store", 0)],
    ["no stores", set("stores", undefined)],
    ["a number for the stores", set("stores", 3)],
    ["a store without a module", set("stores", [{}])],
    ["no request", set("request", undefined)],
    ["text for the request", set("request", "all")],
    ["an unknown field of the request", set("request.rows", 3)],
    ["a name instead of a list of columns", set("request.columns", "id")],
    ["a name instead of a path among the columns", set("request.columns", ["id"])],
    ["a number among the steps of a column path", set("request.columns", [[1]])],
    ["a schema that is not base64", set("request.schema", "%%%")],
    ["base64 that is not a serialized schema", set("request.schema", "////")],
    ["a number for the schema", set("request.schema", 3)],
    ["a filter that is not a predicate", set("request.filter", "id >")],
    ["a number for the filter", set("request.filter", 3)],
    ["a number for the raw record column", set("request.rawRecordColumn", 3)],
    ["a batch size of zero", set("request.batchSize", 0)],
    ["text for batchBytes", set("request.batchBytes", "3")],
    ["an unknown column form", set("request.columnForm", "rows")],
    ["an unknown float64 policy", set("request.float64", "float16")],
    ["an unknown rule for unlisted columns", set("request.unlisted", "keep")],
    ["text for isInferred", set("request.isInferred", "no")],
    ["a number for the sample", set("request.sample", 3)],
    ["a sample without bounds", set("request.sample", { seed: 1 })],
    ["a sample whose bounds are text", set("request.sample", { seed: 1, from: "0", to: "1" })],
    ["a sample with a negative seed", set("request.sample", { seed: -1, from: 0, to: 1 })],
    [
      "a sample whose `by` is a name instead of a column path",
      set("request.sample", { seed: 1, from: 0, to: 1, by: "id" }),
    ],
    ["a number for the representation group", set("representationGroup", 3)],
  ])("rejects a damaged description: %s", async (_, damage) => {
    const description = throughJson(await openTfxio(files, { schema: PEOPLE }));
    const damaged = damage(description);
    await expect(openRead(damaged as ReadDescription)).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("rejects a format module that cannot be imported, or that does not export the format", async () => {
    const table = await importTable();
    const tfxio = await openTfxio(inFolder("rows.table"), { format: table });
    for (const module of ["file:///no/such/module.mjs", (await importToy()).module]) {
      const description = throughJson(tfxio) as unknown as { format: { module: unknown } };
      description.format.module = module;
      await expect(openRead(description as unknown as ReadDescription)).rejects.toMatchObject({
        code: "unsupported",
        reason: "worker-format",
        message: expect.stringContaining("The described read cannot be opened here: "),
      });
    }
  });

  test("rejects an unknown option", async () => {
    const description = throughJson(await openTfxio(files, { schema: PEOPLE }));
    await expect(openRead(description, { credentials: 1 } as never)).rejects.toMatchObject({
      reason: "unknown-option",
    });
  });
});
