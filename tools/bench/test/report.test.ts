import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { main } from "../src/main.js";
import type { Measurement } from "../src/measurement.js";
import { barChart } from "../src/report/bar-chart.js";
import { type Goal, goals, outcomeOf } from "../src/report/goals.js";
import { readMeasuredRuns } from "../src/report/measured-runs.js";
import { Medians } from "../src/report/medians.js";
import { benchmarksPage } from "../src/report/page.js";
import { recordedFile, recordedRuns, removeOlderRuns } from "../src/report/recorded-runs.js";
import type { RunFacts } from "../src/run-facts.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-report-"));
});
afterAll(async () => rm(folder, { recursive: true }));

const row = (bench: string, set: string, subject: string, unit: string, ...runs: number[]): Measurement => ({
  bench,
  set,
  subject,
  unit,
  median: runs[runs.length >> 1] as number,
  runs,
});
const facts: RunFacts = {
  date: "2030-01-02 03:04 UTC",
  command: "npx -y pnpm@12.21.0 bench decode --json run.json",
  commit: "abc1234",
  machine: { cpu: "Some CPU", numCores: 2, memoryBytes: 2 ** 33, system: "linux 6 x64", loadBefore: 0.1 },
  versions: { node: "20.20.2" },
  notes: { tfx_bsl: "1.21.0", tensorflow: "absent (no numpy)" },
};
const decode = [
  row("decode", "wide", "ours:wasm", "MB/s", 1500, 1600, 1700),
  row("decode", "wide", "ours:wasm", "records/s", 150, 160, 170),
  row("decode", "wide", "tfx_bsl", "MB/s", 3100, 3200, 3300),
  row("decode", "wide", "tfx_bsl", "records/s", 310, 320, 330),
];
const memory = [
  row("memory", "criteo", "baseline", "bytes", 45e6),
  row("memory", "criteo", "peak", "bytes", 140e6),
  row("memory", "criteo", "batch", "bytes", 2e6),
];

async function written(name: string, rows: readonly Measurement[], of = facts): Promise<string> {
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(rows));
  await writeFile(path.join(folder, `${name}.meta.json`), JSON.stringify(of));
  return file;
}
const goalNamed = (id: string, set: string): Goal =>
  goals.find((goal) => goal.id === id && goal.set === set) as Goal;

describe("the page", () => {
  const { markdown, plots } = benchmarksPage({ measurements: [...decode, ...memory], facts: [facts] });

  test("names the machine, its load, the commit, the absent subjects and the command", () => {
    expect(markdown).toContain("2 cores (Some CPU) with 8 GiB of memory, on linux 6 x64");
    expect(markdown).toContain("before each run was 0.10.");
    expect(markdown).toContain("tensorflow: absent (no numpy)");
    expect(markdown).toContain("\nnpx -y pnpm@12.21.0 bench decode --json run.json\n");
    expect(markdown).toContain("commit abc1234, load 0.10");
  });
  test("shows the required and the measured figure of each goal", () => {
    // The measured figures are 1600 / 3200 = 0.5 and 140 - 45 - 3 × 2 = 89.
    expect(markdown).toMatch(/\| wide \| ≥ 1.5× \| 0.5× \| \*\*missed\*\* \|/);
    expect(markdown).toMatch(/\| criteo \| ≤ 64 MB \| 89 MB \| \*\*missed\*\* \|/);
    expect(markdown).toMatch(/\*\*0 met, 2 missed, \d+ not measured\.\*\*/);
  });
  test("gives the known reason for a missed goal, and no reason for a goal that is met", () => {
    const crc = (ours: number): string => {
      const rows = [
        row("crc", "500B", "ours:wasm", "MB/s", ours),
        row("crc", "500B", "@node-rs/crc32", "MB/s", 100),
      ];
      return benchmarksPage({ measurements: rows, facts: [facts] }).markdown;
    };
    expect(crc(50)).toContain("\nG5: WebAssembly has");
    expect(crc(200)).not.toContain("\nG5: ");
  });
  test("lists each peer that is faster than our subject", () => {
    expect(markdown).toContain(
      "| [decode](#decode) | wide | `tfx_bsl` | 3,200 MB/s | 1,600 MB/s | `ours:wasm` | 2× |",
    );
  });
  test("has a table for each unit, a table of ratios, and a plot for each bench", () => {
    expect(markdown).toContain(
      "| MB/s | wide |\n| --- | --: |\n| `ours:wasm` | 1,600 |\n| `tfx_bsl` | 3,200 |",
    );
    expect(markdown).toContain("| `ours:wasm` ÷ | wide |\n| --- | --: |\n| `tfx_bsl` | 0.5× |");
    expect(markdown).toContain("| records/s | wide |");
    expect(markdown).toContain("| MB | criteo |\n| --- | --: |\n| `baseline` | 45 |");
    expect(plots.map(({ fileName }) => fileName)).toEqual(["decode.svg", "memory.svg"]);
    for (const { fileName } of plots) expect(markdown).toContain(`(benchmarks/${fileName})`);
  });
  test("has the number of runs of each bench, and the largest deviation if a bench has several runs", () => {
    expect(markdown).toContain(
      "Medians of 3 runs. The largest deviation from a median is 6 % (wide, `ours:wasm`).",
    );
    expect(markdown).toContain("\nResults of a single run.\n");
    expect(markdown).not.toContain("Medians of 1 ");
  });
  test("includes a bench that has no introductory text", () => {
    const page = benchmarksPage({ measurements: [row("csv", "flat", "ours", "MB/s", 5)], facts: [facts] });
    expect(page.markdown).toContain("## csv");
  });
});

describe("the tables for users", () => {
  const mbps = (set: string, subject: string, median: number): Measurement[] => [
    row("decode", set, subject, "MB/s", median),
    row("decode", set, subject, "records/s", 10 * median),
  ];
  const measurements = [
    ...mbps("wide", "ours:wasm", 900),
    ...mbps("wide", "ours:wasm-leased", 1800),
    ...mbps("wide", "ours:file", 600),
    ...mbps("wide", "tfx_bsl:file", 200),
    ...mbps("wide", "tensorflow", 150),
    ...mbps("wide", "tensorflow:fixed", 1200),
    ...mbps("wide", "protobufjs", 60),
    ...mbps("wide", "protobuf-es", 50),
    ...mbps("wide_tail", "ours:wasm", 900),
  ];
  const { markdown } = benchmarksPage({ measurements, facts: [facts] });

  test("come first, and compare openTfxio with the best peer of each kind", () => {
    expect(markdown).toContain(
      "| MB/s | wide |\n| --- | --: |\n| TFXIO for JavaScript, `openTfxio` | 600 |\n| tfx_bsl in Python | 200 |\n" +
        "| TensorFlow in Python | 1,200 |\n| fastest npm package | 60 |",
    );
    expect(markdown).toContain(
      "| `openTfxio` ÷ | wide |\n| --- | --: |\n| tfx_bsl in Python | 3× |\n| TensorFlow in Python | 0.5× |\n" +
        "| fastest npm package | 10× |",
    );
    expect(markdown).toContain("| tfx_bsl in Python | 2,000 |");
    expect(markdown).toContain("Of the npm packages, `protobufjs` is the fastest for wide.");
    const headings = Array.from(markdown.matchAll(/^## (.*)$/gm), (match) => match[1]);
    expect(headings).toEqual([
      "From TFRecord files to record batches",
      "Where another tool is faster",
      "decode",
      "Goals",
      "Versions and commands",
    ]);
  });
  test("compare our subject that reads a file with the peers that read a file", () => {
    expect(markdown).toContain(
      "| [decode](#decode) | wide | `tensorflow:fixed` | 1,200 MB/s | 600 MB/s | `ours:file` | 2× |",
    );
    expect(markdown).toContain(
      "| `ours:file` ÷ | wide | wide_tail |\n| --- | --: | --: |\n| `tfx_bsl:file` | 3× | – |",
    );
  });
  test("are followed by the cost of owned batches", () => {
    expect(markdown).toContain(
      "| owned ÷ leased | wide | wide_tail |\n| --- | --: | --: |\n| decoders, from memory | 0.5× | – |",
    );
  });
  test("are omitted for runs that read no file", () => {
    expect(benchmarksPage({ measurements: decode, facts: [facts] }).markdown).not.toContain(
      "From TFRecord files",
    );
  });
});

describe("the table of other formats", () => {
  const section = "## Other formats, and datasets\n";
  test("compares our reader with the fastest Python tool and the fastest JavaScript tool", () => {
    const mbps = (subject: string, median: number): Measurement =>
      row("csv", "flat", subject, "MB/s", median);
    const peers = [mbps("polars", 200), mbps("pyarrow", 100), mbps("d3-dsv", 50), mbps("csv-parse", 20)];
    const measurements = [mbps("ours", 400), mbps("ours:other", 900), ...peers];
    const { markdown } = benchmarksPage({ measurements, facts: [facts] });
    expect(markdown).toContain(section);
    expect(markdown).toContain(
      "| CSV, types given | [csv](#csv) | 400 MB/s | 200 `polars` | 2× | 50 `d3-dsv` | 8× |",
    );
  });
  test("shows a dash where no tool was measured, and is omitted if none of its sets was measured", () => {
    const alone = [row("arrow", "zstd", "ours", "MB/s", 100)];
    expect(benchmarksPage({ measurements: alone, facts: [facts] }).markdown).toContain(
      "| Arrow file, ZSTD | [arrow](#arrow) | 100 MB/s | – | – | – | – |",
    );
    expect(benchmarksPage({ measurements: decode, facts: [facts] }).markdown).not.toContain(section);
  });
});

describe("goals", () => {
  test("compare the import of tfxio with the import of apache-arrow alone", () => {
    const medians = new Medians([
      row("import", "time", "apache-arrow", "ms", 100),
      row("import", "time", "tfxio", "ms", 150),
      row("import", "rss", "apache-arrow", "bytes", 60e6),
      row("import", "rss", "tfxio", "bytes", 80e6),
    ]);
    expect(goalNamed("G15", "time").measured(medians)).toBe(50);
    expect(goalNamed("G15", "rss").measured(medians)).toBe(20);
    expect(goalNamed("G14", "criteo").measured(medians)).toBeUndefined();
  });
  test("are reported as met, missed within noise, missed or not measured", () => {
    const goal = goalNamed("G1", "criteo");
    expect([6, 5.2, 5, undefined].map((measured) => outcomeOf(goal, measured))).toEqual([
      "met",
      "missed, but within noise",
      "missed",
      "not measured",
    ]);
    const price = goalNamed("G8", "recordbatch");
    expect([3, 3.4, 4].map((measured) => outcomeOf(price, measured))).toEqual([
      "met",
      "missed, but within noise",
      "missed",
    ]);
  });
  test("compare our subject with the best of several peers", () => {
    const medians = new Medians([
      row("decode", "taxi", "ours:wasm", "MB/s", 900),
      row("decode", "taxi", "protobufjs:builders", "MB/s", 30),
      row("decode", "taxi", "protobuf-es:builders", "MB/s", 20),
    ]);
    expect(goalNamed("G3", "taxi").measured(medians)).toBe(30);
    expect(goalNamed("G1", "taxi").measured(medians)).toBeUndefined();
  });
});

describe("several files of measurements", () => {
  test("each get a list of the versions of the peers that their run measured", () => {
    const other = { ...facts, command: "bench proto", notes: { tensorflow: "2.17.1" } };
    const { markdown } = benchmarksPage({ measurements: decode, facts: [facts, other] });
    expect(markdown).toContain("- tensorflow: absent (no numpy)\n");
    expect(markdown).toContain("```sh\nbench proto\n```\n\n- tensorflow: 2.17.1\n");
  });
  test("are merged: each measurement has the runs of all files, and a new median", async () => {
    const first = await written("first", [row("crc", "500B", "ours:wasm", "MB/s", 1, 9)]);
    const second = await written("second", [row("crc", "500B", "ours:wasm", "MB/s", 5)]);
    const { measurements } = await readMeasuredRuns([first, second]);
    expect(measurements).toEqual([{ ...row("crc", "500B", "ours:wasm", "MB/s", 1, 9, 5), median: 5 }]);
  });
  test("must come from one machine", async () => {
    const here = await written("here", []);
    const there = await written("there", [], { ...facts, machine: { ...facts.machine, cpu: "Another" } });
    await expect(readMeasuredRuns([here, there])).rejects.toThrow(/one machine.*Some CPU.*Another/);
  });
});

describe("bench report", () => {
  const run = async (...args: string[]): Promise<{ status: number; stderr: string }> => {
    const stderr: string[] = [];
    const output = { print: () => {}, progress: (line: string) => stderr.push(line) };
    const status = await main(["report", ...args], { TFXIO_INVOKED_FROM: folder }, output);
    return { status, stderr: stderr.join("\n") };
  };
  test("writes the page and its plots", async () => {
    await written("run", decode);
    expect(await run("run.json", "--docs", "docs")).toEqual({ status: 0, stderr: "" });
    expect(await readFile(path.join(folder, "docs/benchmarks.md"), "utf8")).toMatch(/^# Benchmarks\n/);
    expect(await readdir(path.join(folder, "docs/benchmarks"))).toEqual(["decode.svg"]);
  });
  test("names a missing file and ends with status 1; if no run is recorded, ends with status 2", async () => {
    const { status, stderr } = await run("nowhere.json");
    expect(status).toBe(1);
    expect(stderr).toContain("nowhere.meta.json");
    expect((await run("--docs", "no-docs")).status).toBe(2);
  });
  test("reads the recorded runs if no file is named", async () => {
    await mkdir(path.join(folder, "recorded/benchmarks"), { recursive: true });
    await written("recorded/benchmarks/run", memory);
    expect(await run("--docs", "recorded")).toEqual({ status: 0, stderr: "" });
    expect(await readFile(path.join(folder, "recorded/benchmarks.md"), "utf8")).toContain("## memory");
  });
});

describe("bench record", () => {
  test("accepts neither the name of a bench nor --json", async () => {
    const output = { print: () => {}, progress: () => {} };
    expect(await main(["record", "decode"], {}, output)).toBe(2);
    expect(await main(["record", "--json", "run.json"], {}, output)).toBe(2);
  });
  test("deletes the measurements of older runs", async () => {
    const docs = path.join(folder, "older");
    await mkdir(path.join(docs, "benchmarks"), { recursive: true });
    for (const name of ["decode", "run"]) await written(`older/benchmarks/${name}`, memory);
    await removeOlderRuns(docs);
    expect(await recordedRuns(docs)).toEqual([recordedFile(docs)]);
    expect((await readdir(path.join(docs, "benchmarks"))).sort()).toEqual(["run.json", "run.meta.json"]);
  });
});

describe("a plot", () => {
  test("scales each group by its longest bar, escapes text, and adapts to dark mode", () => {
    const bar = (label: string, value: number) => ({
      label,
      value,
      text: String(value),
      isOurs: value === 4,
    });
    const svg = barChart("a < b", [{ title: "R&D", bars: [bar("x", 4), bar("y", 1)] }]);
    const widths = Array.from(svg.matchAll(/<rect class="(\w+)"[^>]* width="([\d.]+)"/g), (match) =>
      match.slice(1),
    );
    expect(widths).toEqual([
      ["ours", "200"],
      ["theirs", "50"],
    ]);
    expect(svg).toContain("<title>a &lt; b</title>");
    expect(svg).toContain(">R&amp;D</text>");
    expect(svg).toContain("prefers-color-scheme: dark");
  });
});

describe("docs/benchmarks.md", () => {
  const docs = path.join(import.meta.dirname, "../../../docs");
  test("is the report of the recorded runs", async () => {
    const { markdown, plots } = benchmarksPage(await readMeasuredRuns(await recordedRuns(docs)));
    expect(await readFile(path.join(docs, "benchmarks.md"), "utf8")).toBe(markdown);
    for (const { fileName, svg } of plots) {
      expect(await readFile(path.join(docs, "benchmarks", fileName), "utf8")).toBe(svg);
    }
  });
});
