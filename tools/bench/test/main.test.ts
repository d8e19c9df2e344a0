import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Conversion, type ConversionInput, conversions } from "../src/convert/conversion.js";
import { digestOf } from "../src/convert/convert-subject.js";
import { ourConversion } from "../src/convert/our-conversion.js";
import { ourKernels, ourTypescriptKernels } from "../src/convert/our-kernels.js";
import { batchRows } from "../src/decode/subject.js";
import { main } from "../src/main.js";
import type { Measurement } from "../src/measurement.js";
import type { RunFacts } from "../src/run-facts.js";

const inProcess = [
  "ours:wasm",
  "ours:wasm-leased",
  "ours:typescript",
  "ours:file",
  "ours:file-leased",
  "protobufjs",
  "protobufjs:builders",
  "protobuf-es",
  "protobuf-es:builders",
  "tfrecord",
];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-"));
  await mkdir(path.join(folder, "cache"));
  await writeFile(path.join(folder, "cache", "a-file"), "");
});
afterAll(async () => rm(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  // This Python does not exist, so no Python peer runs, even if this machine has TensorFlow.
  const environment = { TFXIO_BENCH_PYTHON: path.join(folder, "no-python"), TFXIO_INVOKED_FROM: folder };
  const status = await main(["--cache", "cache", ...args], environment, {
    print: (line) => stdout.push(line),
    progress: (line) => stderr.push(line),
  });
  return { status, stdout: stdout.join("\n"), stderr: stderr.join("\n") };
}

/** Returns the row splits of a batch of `batchRows` rows. The first rows have the given lengths, and all others are empty. */
function splitsOf(lengths: readonly number[]): Int32Array {
  let end = 0;
  return Int32Array.from(
    { length: batchRows + 1 },
    (_, row) => (end += row === 0 ? 0 : (lengths[row - 1] ?? 0)),
  );
}

describe("bench decode", () => {
  test("measures every available subject, and writes the measurements as JSON", async () => {
    const subjects = [...inProcess, "tfx_bsl", "tensorflow"].join(",");
    const sets = ["--mb", "0.2", "--rounds", "2", "--sets", "taxi,wide"];
    const { status, stdout, stderr } = await run(
      "decode",
      ...sets,
      "--subjects",
      subjects,
      "--json",
      "out.json",
    );
    expect(stderr).toContain("tensorflow: absent");
    expect(stderr).toContain("tfx_bsl: absent");
    expect(status).toBe(0);
    expect(stdout).toMatch(/owned ÷ leased \(openTfxio, from a file\): [\d.]+×/);
    expect(stdout).toMatch(/ours:\w+ ÷ best JavaScript route to Arrow \(protobuf[^)]*\): [\d.,]+×/);
    const rows = JSON.parse(await readFile(path.join(folder, "out.json"), "utf8")) as Measurement[];
    expect(new Set(rows.map((row) => row.set))).toEqual(new Set(["taxi", "wide"]));
    expect(new Set(rows.map((row) => row.subject))).toEqual(new Set(inProcess));
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(["bench", "set", "subject", "unit", "median", "runs"]);
      expect(row.bench).toBe("decode");
      expect(["MB/s", "records/s", "faults"]).toContain(row.unit);
      expect(row.runs.length).toBe(2);
      if (row.unit === "faults") expect(row.subject).toMatch(/^ours:/);
      else expect(row.median).toBeGreaterThan(0);
    }
    const facts = JSON.parse(await readFile(path.join(folder, "out.meta.json"), "utf8")) as RunFacts;
    expect(facts.command).toContain("bench --cache cache decode --mb 0.2");
    expect(facts.versions.node).toBe(process.versions.node);
    expect(facts.notes.tensorflow).toMatch(/^absent \(/);
  });

  test("runs wide_tail only with subjects that support batches of alternating size", async () => {
    const { status, stderr } = await run("decode", "--mb", "0.2", "--rounds", "1", "--sets", "wide_tail");
    expect(status).toBe(0);
    expect(stderr).toContain("all agree: ours:wasm, ours:wasm-leased, ours:typescript\n");
  });
});

describe("bench decode of SequenceExamples", () => {
  test("decodes the same columns with our kernels and with protobufjs", async () => {
    const sets = ["--mb", "0.3", "--rounds", "1", "--sets", "seq"];
    const subjects = "ours:wasm,ours:typescript,protobufjs:builders";
    const { status, stderr } = await run("decode", ...sets, "--subjects", subjects);
    expect(status).toBe(0);
    expect(stderr).toMatch(/all agree: .*ours:typescript, protobufjs:builders/);
  });
});

describe("bench encode", () => {
  test("measures every available subject in MB/s and records/s", async () => {
    const sets = ["--mb", "0.3", "--rounds", "1", "--sets", "taxi,ragged"];
    const { status, stderr } = await run("encode", ...sets, "--json", "encode.json");
    expect(stderr).toContain("tfx_bsl: absent");
    expect(stderr).toContain("tensorflow: absent");
    expect(status).toBe(0);
    const rows = JSON.parse(await readFile(path.join(folder, "encode.json"), "utf8")) as Measurement[];
    expect(rows.map(({ set, subject, unit }) => `${set} ${subject} ${unit}`)).toEqual(
      ["taxi", "ragged"].flatMap((set) =>
        ["MB/s", "records/s"].flatMap((unit) =>
          ["ours", "protobufjs", "protobuf-es"].map((subject) => `${set} ${subject} ${unit}`),
        ),
      ),
    );
  });
});

describe("bench crc", () => {
  test("measures the available implementations for the requested size", async () => {
    const { status, stdout, stderr } = await run("crc", "--rounds", "1", "--sets", "500B");
    expect(status).toBe(0);
    expect(stdout).toMatch(/crc 500B\n.*MB\/s.*\n +ours:\w+ .*\n(.*\n)* +byte-table /);
    expect(stdout + stderr).toContain("@node-rs/crc32");
  });
});

describe("bench gzip", () => {
  test("reports every subject", async () => {
    const { status, stdout } = await run("gzip", "--mb", "0.2", "--rounds", "1", "--sets", "taxi");
    expect(status).toBe(0);
    for (const subject of [
      "ours:batches",
      "ours:inflate",
      "zlib:1MiB",
      "zlib:16KiB",
      "DecompressionStream",
    ]) {
      expect(stdout).toContain(subject);
    }
  });
});

describe("bench dataset", () => {
  test("measures processor time, and compares the cost of shuffling with its goal", async () => {
    const { status, stdout } = await run(
      "dataset",
      "--sets",
      "criteo",
      "--mb",
      "0.2",
      "--rounds",
      "1",
      "--json",
      "dataset.json",
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/goal: default ÷ unshuffled at most 1\.5×, measured [\d.]+×/);
    const rows = JSON.parse(await readFile(path.join(folder, "dataset.json"), "utf8")) as Measurement[];
    expect(rows.map(({ set, subject, unit }) => `${set} ${subject} ${unit}`)).toEqual([
      "criteo unshuffled ms",
      "criteo default ms",
      "criteo batches ms",
      "criteo batches:shuffled ms",
    ]);
  });

  test("measures rows per second of our pipelines and of tfjs-data's pipelines", async () => {
    const subjects = "ours,ours:items,tfjs-data";
    const { status } = await run(
      "dataset",
      "--seconds",
      "0.1",
      "--subjects",
      subjects,
      "--mb",
      "0.2",
      "--rounds",
      "1",
      "--json",
      "pipelines.json",
    );
    expect(status).toBe(0);
    const rows = JSON.parse(await readFile(path.join(folder, "pipelines.json"), "utf8")) as Measurement[];
    expect(rows.every(({ unit, median }) => unit === "rows/s" && median > 0)).toBe(true);
    const tables = ["batch", "shuffle", "shuffle_quarter", "map"];
    expect(rows.map(({ set, subject }) => `${set} ${subject}`)).toEqual([
      ...tables.flatMap((set) => subjects.split(",").map((subject) => `${set} ${subject}`)),
      "tfrecord ours",
      "tfrecord_numbers ours",
    ]);
  });
});

describe("bench convert", () => {
  test("counts batches per second, and reports the cost of a RecordBatch", async () => {
    const { status, stdout, stderr } = await run(
      "convert",
      "--rounds",
      "1",
      "--sets",
      "coo,recordbatch",
      "--json",
      "convert.json",
    );
    expect(stderr).toContain("pyarrow: absent");
    expect(status).toBe(0);
    expect(stdout).toMatch(/convert recordbatch: [\d.]+ µs per column/);
    const rows = JSON.parse(await readFile(path.join(folder, "convert.json"), "utf8")) as Measurement[];
    expect(rows.map(({ set, subject, unit }) => `${set} ${subject} ${unit}`)).toEqual([
      "coo ours batches/s",
      "coo ours:into batches/s",
      "coo ours:into-typescript batches/s",
      "coo memcpy batches/s",
      "recordbatch ours µs/column",
    ]);
  });
  // The expected arrays below were derived by hand.
  const conversionOf = (name: string): Conversion =>
    conversions.find((each) => each.name === name) as Conversion;
  const digests = async (conversion: Conversion, input: ConversionInput): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (const subject of [ourConversion, ourKernels, ourTypescriptKernels]) {
      const prepared = await subject.prepare(conversion, input);
      results.push("absent" in prepared ? prepared : await prepared.digest());
    }
    return results;
  };
  const rows = Uint32Array.of(2, 0, 2);
  const input = { rowSplits: splitsOf([2, 0, 1]), values: Float32Array.of(1, 2, 3), rows };

  test("creates the expected tensors with each of our three subjects", async () => {
    const padded = new Float32Array(50 * batchRows);
    padded.set([1, 2]);
    padded[100] = 3;
    expect(await digests(conversionOf("pad_float32"), input)).toEqual(Array(3).fill(digestOf([padded])));
    const coo = digestOf([Int32Array.of(0, 0, 0, 1, 2, 0), input.values]);
    expect(await digests({ ...conversionOf("coo"), dtype: "float32" }, input)).toEqual(Array(3).fill(coo));
    const validity = new Uint8Array(batchRows >> 3);
    validity[0] = 0b101;
    const singles = { rowSplits: splitsOf([1, 0, 1]), values: Float32Array.of(1, 3), validity, rows };
    const filled = new Float32Array(batchRows).fill(-1);
    filled.set([1, -1, 3]);
    expect(await digests(conversionOf("fill_null"), singles)).toEqual(Array(3).fill(digestOf([filled])));
  });

  test("gathers the expected rows and encodes the expected varints with each of our three subjects", async () => {
    const values = BigInt64Array.of(1n, 300n, -1n);
    const integers = { ...input, values };
    const taken = digestOf([Int32Array.of(0, 1, 3, 4), BigInt64Array.of(-1n, 1n, 300n, -1n)]);
    expect(await digests(conversionOf("take"), integers)).toEqual(Array(3).fill(taken));
    const byteSplits = new Int32Array(batchRows + 1).fill(13);
    byteSplits.set([0, 3, 3]);
    const bytes = Uint8Array.of(1, 0xac, 2, ...Array<number>(9).fill(0xff), 1);
    const encoded = Array(3).fill(digestOf([byteSplits, bytes]));
    expect(await digests(conversionOf("varint_encode"), integers)).toEqual(encoded);
  });
});

describe("bench memory", () => {
  const built = existsSync(path.join(import.meta.dirname, "../dist/memory/child.js"));
  (built ? test : test.skip)(
    "measures a peak above the baseline, and leaves no streamed file behind",
    async () => {
      const args = ["memory", "--mb", "0.5", "--rounds", "1", "--sets", "criteo", "--json", "memory.json"];
      expect((await run(...args)).status).toBe(0);
      const rows = JSON.parse(await readFile(path.join(folder, "memory.json"), "utf8")) as Measurement[];
      expect(rows.map(({ subject, unit }) => `${subject} ${unit}`)).toEqual([
        "baseline bytes",
        "peak bytes",
        "peak-leased bytes",
        "batch bytes",
      ]);
      const [baseline, peak, , batch] = rows.map(({ median }) => median);
      expect(peak).toBeGreaterThan(baseline as number);
      expect(batch).toBeGreaterThan(0);
      expect(
        (await readdir(path.join(folder, "cache"))).filter((name) => name.startsWith("streamed")),
      ).toEqual([]);
    },
  );
});

describe("bench columns", () => {
  test("reports the cost per column of each requested step", async () => {
    const steps = ["--subjects", "encode,to-host", "--sets", "5000", "--rounds", "1"];
    expect((await run("columns", ...steps, "--json", "columns.json")).status).toBe(0);
    const rows = JSON.parse(await readFile(path.join(folder, "columns.json"), "utf8")) as Measurement[];
    expect(rows.map(({ set, subject, unit }) => `${set} ${subject} ${unit}`)).toEqual([
      "5000 to-host µs/column",
      "5000 encode µs/column",
    ]);
    for (const { median } of rows) expect(median).toBeGreaterThan(0);
  });
});

describe("bench import", () => {
  const built = existsSync(path.join(import.meta.dirname, "../dist/import/child.js"));
  (built ? test : test.skip)("compares tfxio with apache-arrow alone, and with the goal", async () => {
    const { status, stdout } = await run("import", "--rounds", "1", "--json", "import.json");
    expect(status).toBe(0);
    expect(stdout).toMatch(/goal: tfxio − apache-arrow at most 60 ms, measured -?[\d.,]+ ms/);
    const rows = JSON.parse(await readFile(path.join(folder, "import.json"), "utf8")) as Measurement[];
    expect(rows.map(({ set, subject, unit }) => `${set} ${subject} ${unit}`)).toEqual([
      "time node ms",
      "time apache-arrow ms",
      "time tfxio ms",
      "cpu node ms",
      "cpu apache-arrow ms",
      "cpu tfxio ms",
      "rss node bytes",
      "rss apache-arrow bytes",
      "rss tfxio bytes",
      "heap node bytes",
      "heap apache-arrow bytes",
      "heap tfxio bytes",
    ]);
  });
});

describe("the command line", () => {
  test("rejects an unknown bench with status 2, and lists the known names", async () => {
    const { status, stderr } = await run("decod");
    expect(status).toBe(2);
    expect(stderr).toContain('"decod"');
    expect(stderr).toContain("decode");
  });
  test.each([
    [["decode", "--sets", "iris"], "criteo_shuf"],
    [["decode", "--subjects", "theirs"], "protobufjs"],
    [["decode", "--mb", "-1"], "--mb"],
    [["decode", "--rounds", "many"], "--rounds"],
    [["decode", "--fast"], "--fast"],
    [["crc", "--json", "cache/a-file/out.json"], "--json"],
  ])("rejects %j with status 2 and a message that mentions %j", async (args, mentioned) => {
    const { status, stderr } = await run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(mentioned);
  });
});
