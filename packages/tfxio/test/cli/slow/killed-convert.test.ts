import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { Random } from "tfxio/wire";
import { installedCommand } from "../command.js";

const main = path.resolve(import.meta.dirname, "../../../dist/cli/main.js");
const testBuilt = installedCommand !== undefined || existsSync(main) ? test : test.skip;
const NUM_ROWS = 1_500_000;
const NUM_KILLS = 10;

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-killed-"));
  const rows = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => `${from + index},row ${from + index}\n`).join("");
  writeFileSync(at("in-0.csv"), `id,text\n${rows(0, NUM_ROWS / 3)}`);
  writeFileSync(at("in-1.csv"), `id,text\n${rows(NUM_ROWS / 3, NUM_ROWS)}`);
});
afterEach(() => {
  for (const name of outputs()) rmSync(at(name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command, but kills it after `killAfterMs`. Resolves to its exit code, or to undefined if it was killed. */
function convert(options: readonly string[], killAfterMs: number): Promise<number | undefined> {
  const [command, ...first] = installedCommand === undefined ? [process.execPath, main] : [installedCommand];
  const argv = [...first, "convert", at("in-*.csv"), at("out.jsonl"), ...options];
  const child = spawn(command, argv, { stdio: ["ignore", "ignore", "inherit"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      resolve(signal === null ? (code ?? undefined) : undefined);
    });
  });
}

const outputs = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.includes("out.jsonl"))
    .sort();

testBuilt.each([
  ["--shard-rows", ["--shard-rows", "40000"], 1],
  ["--shards", ["--shards", "25"], 2],
  ["--shard-size", ["--shard-size", "2MB"], 3],
])(
  "convert with %s writes exactly the rows of the input, even if ten earlier runs were killed at random moments",
  async (_, options, seed) => {
    const start = performance.now();
    expect(await convert(options, 60_000)).toBe(0);
    const fullMs = performance.now() - start;
    for (const name of outputs()) rmSync(at(name));
    const random = Random.of(2024, seed);
    let numKills = 0;
    let numResumed = 0;
    while (numKills < NUM_KILLS) {
      const code = await convert(options, 30 + (random.below(1000) / 1000) * fullMs * 0.9);
      if (code === undefined) numKills++;
      if (outputs().some((name) => name.includes(".part-"))) numResumed++;
      // If the command finished before the kill, the next run starts from the beginning.
      if (code !== undefined) for (const name of outputs()) rmSync(at(name));
    }
    expect(numResumed).toBeGreaterThan(0);
    expect(await convert(options, 60_000)).toBe(0);
    const shards = outputs();
    // No other file exists: no journal, no hidden part, no temporary file.
    expect(shards.filter((name) => !/^out\.jsonl-\d{5}-of-\d{5}$/.test(name))).toEqual([]);
    const ids = shards.flatMap((name) =>
      readFileSync(at(name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: number }).id),
    );
    expect(ids).toHaveLength(NUM_ROWS);
    expect(ids.every((id, row) => id === row)).toBe(true);
  },
  300_000,
);
