import { expect, test } from "@jest/globals";
import type { BenchOptions } from "../src/measurement.js";
import { parquetBench } from "../src/parquet/parquet.js";

test("bench parquet looks for its Python peers in the same Python as the table benches, and reports absent peers", async () => {
  const asked: unknown[] = [];
  const options: BenchOptions = {
    sets: [],
    subjects: ["pyarrow", "duckdb"],
    setBytes: 1,
    longSetBytes: 1,
    streamedBytes: 1,
    sampleBytes: 1,
    rounds: 1,
    leastSeconds: 1,
    cacheFolder: "",
    python: async (modules) => {
      asked.push(modules);
      return { program: "/no-such-python" };
    },
  };
  const notes: Record<string, string> = {};
  const note = (subject: string, text: string): void => {
    notes[subject] = text;
  };
  expect(await parquetBench.run(options, { print: () => {}, progress: () => {}, note })).toEqual([]);
  expect(asked).toEqual(["tables", "tables"]);
  const absent = expect.stringMatching(/^absent \(.+\)$/);
  expect(notes).toEqual({ pyarrow: absent, duckdb: absent });
});
