import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { tableFromIPC } from "apache-arrow";
import papaparse from "papaparse";
import { main } from "../src/main.js";
import type { Measurement } from "../src/measurement.js";
import { checkTableDigests } from "../src/tables/table-digest.js";
import { generateTable } from "../src/tables/table-file.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-tables-"));
});
afterAll(async () => rm(folder, { recursive: true }));

describe("the generated table", () => {
  test("begins with the same rows in CSV, JSON Lines and Arrow", async () => {
    const [csv, jsonl, arrow] = await Promise.all([
      generateTable("csv", 20_000, folder),
      generateTable("jsonl", 20_000, folder),
      generateTable("arrow", 20_000, folder),
    ]);
    expect(csv.numBytes).toBeGreaterThanOrEqual(20_000);
    const [names, ...records] = papaparse.parse<string[]>(await readFile(csv.path, "utf8"), {
      skipEmptyLines: true,
    }).data;
    expect(records.length).toBe(csv.numRows);
    expect(
      records.some((cells) => cells[7]!.includes('"')) && records.some((cells) => cells[7]!.includes(",")),
    ).toBe(true);
    const objects = (await readFile(jsonl.path, "utf8")).trimEnd().split("\n");
    expect(objects.length).toBe(jsonl.numRows);
    const table = tableFromIPC(await readFile(arrow.path));
    expect(table.numRows).toBe(arrow.numRows);
    const decoder = new TextDecoder();
    for (let row = 0; row < objects.length; row++) {
      const object = JSON.parse(objects[row] as string) as Record<string, number | string>;
      const cells = records[row] as string[];
      for (const [index, name] of (names as string[]).entries()) {
        const stored: unknown = table.getChild(name)?.get(row);
        const cell = cells[index] as string;
        const found = object[name] as number | string;
        expect(typeof found === "string" ? found : Number(cell)).toBe(
          typeof found === "string" ? cell : found,
        );
        if (stored instanceof Uint8Array) expect(decoder.decode(stored)).toBe(found);
        else expect(Number(stored)).toBe(typeof stored === "bigint" ? found : Math.fround(found as number));
      }
    }
  });

  test("in CSV is a prefix of a larger generated table", async () => {
    const [short, long] = await Promise.all([2000, 5000].map((size) => generateTable("csv", size, folder)));
    const [head, whole] = await Promise.all([short, long].map((file) => readFile(file!.path, "utf8")));
    expect(whole!.startsWith(head!)).toBe(true);
  });
});

describe("bench csv, jsonl and arrow", () => {
  test("measure every available subject, and report pyarrow as absent", async () => {
    const output: string[] = [];
    const environment = { TFXIO_BENCH_PYTHON: path.join(folder, "no-python"), TFXIO_INVOKED_FROM: folder };
    const sizes = ["--mb", "0.2", "--sample-mb", "0.1", "--rounds", "1", "--cache", "cache"];
    const status = await main(["csv", "jsonl", "arrow", ...sizes, "--json", "out.json"], environment, {
      print: (line) => output.push(line),
      progress: (line) => output.push(line),
    });
    expect(output.join("\n")).toContain("pyarrow: absent");
    expect(status).toBe(0);
    const rows = JSON.parse(await readFile(path.join(folder, "out.json"), "utf8")) as Measurement[];
    expect(rows.map(({ bench, set, subject }) => `${bench} ${set} ${subject}`)).toEqual([
      "csv flat ours",
      ...["papaparse", "csv-parse", "d3-dsv"].flatMap((name) => [
        `csv flat ${name}`,
        `csv flat ${name}:builders`,
      ]),
      "csv inferred ours",
      "jsonl flat ours",
      "jsonl flat JSON.parse",
      "jsonl flat JSON.parse:builders",
      "jsonl inferred ours",
      "arrow flat ours",
      "arrow flat apache-arrow",
      "arrow flat flechette",
      "arrow lz4 ours",
      "arrow zstd ours",
    ]);
    expect(rows.every(({ unit, median }) => unit === "MB/s" && median > 0)).toBe(true);
  });

  test("report a wrong number of rows, and each column that is not as expected", () => {
    const expected = { numRows: 3, columns: { id: "6", title: "77" } };
    expect(checkTableDigests(expected, expected)).toEqual([]);
    expect(checkTableDigests(expected, { numRows: 2, columns: { id: "6" } })).toEqual([
      "rows: expected 3, found 2",
      "title: expected 77, found no column",
    ]);
    expect(checkTableDigests(expected, { numRows: 3, columns: { id: "7", title: "77" } })).toEqual([
      "id: expected 6, found 7",
    ]);
    expect(checkTableDigests(expected, { numRows: 3, columns: { id: "6", title: "77", row: "3" } })).toEqual([
      "row: expected no column, found 3",
    ]);
  });
});
