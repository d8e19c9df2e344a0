import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watchFile,
  unwatchFile,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { DatasetState } from "@tfxio/dataset";
import { Random } from "@tfxio/wire";
import { type DatasetOptions, openTfxio, type Tfxio } from "../src/index.js";
import { examples, range, SCHEMA, tfRecordFile } from "./fixtures.js";
import { describeBuilt } from "./worker-formats/index.js";

const NUM_FILES = 5;
const FILE_ROWS = 120;
const NUM_ROWS = NUM_FILES * FILE_ROWS;
const NUM_EPOCHS = 3;

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-checkpoint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const file of range(0, NUM_FILES)) {
  const records = examples(file * FILE_ROWS, (file + 1) * FILE_ROWS);
  writeFileSync(path.join(folder, `${file}.tfrecord`), tfRecordFile(records));
}

/** Returns a program that reads batches. After each batch, it replaces the saved state and the saved rows. */
const program = (options: DatasetOptions, saved: string): string => `
  import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
  import { openTfxio } from "@tfxio/io";
  const saved = ${JSON.stringify(saved)};
  const { state, rows } = existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : { rows: [] };
  const tfxio = await openTfxio(${JSON.stringify(path.join(folder, "*.tfrecord"))}, { inferSchema: "full" });
  const iterator = await tfxio.dataset(${JSON.stringify(options)}).iterator({ state });
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) break;
    rows.push(...Array.from(value.id.values, Number));
    writeFileSync(saved + ".new", JSON.stringify({ state: iterator.state(), rows }));
    renameSync(saved + ".new", saved);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await tfxio.close();
`;

function train(options: DatasetOptions, saved: string): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "-e", program(options, saved)], {
    cwd: path.join(import.meta.dirname, ".."),
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Runs the program, and kills it `delayMs` after it first saves a state. Resolves to true if it finishes before that. */
function runFor(delayMs: number, options: DatasetOptions, saved: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = train(options, saved);
    watchFile(saved, { interval: 20 }, ({ mtimeMs }, before) => {
      // Node also calls this once for a file that does not exist yet.
      if (mtimeMs === before.mtimeMs) return;
      unwatchFile(saved);
      setTimeout(() => child.kill("SIGKILL"), delayMs);
    });
    child.on("exit", (code, signal) => {
      unwatchFile(saved);
      if (code !== 0 && signal !== "SIGKILL") reject(new Error(`the training ended with ${code}`));
      else resolve(code === 0);
    });
  });
}

describeBuilt("a program", () => {
  test.each<[string, DatasetOptions]>([
    ["shuffled, read by the calling thread", { workers: 0, shuffleBufferSize: 50 }],
    ["shuffled, read by two worker threads", { workers: 2, readerNumThreads: 2, shuffleBufferSize: 50 }],
    ["in the order of files", { workers: 0, shuffle: false }],
  ])(
    "resumes a dataset with exactly the remaining rows after each of several kills: %s",
    async (name, reading) => {
      const saved = path.join(folder, `${name}.json`);
      const options = { ...reading, batchSize: 7, numEpochs: NUM_EPOCHS };
      const random = Random.of(Date.now(), 0);
      let numKills = 0;
      while (!(await runFor(random.below(250), options, saved))) expect(++numKills).toBeLessThan(30);
      expect(numKills).toBeGreaterThan(1);
      expect(existsSync(saved)).toBe(true);
      const { rows, state } = JSON.parse(readFileSync(saved, "utf8")) as {
        rows: number[];
        state: DatasetState;
      };
      expect(rows).toHaveLength(NUM_ROWS * NUM_EPOCHS);
      for (const epoch of range(0, NUM_EPOCHS)) {
        const ofEpoch = rows.slice(epoch * NUM_ROWS, (epoch + 1) * NUM_ROWS);
        expect(ofEpoch.toSorted((a, b) => a - b)).toEqual(range(0, NUM_ROWS));
      }
      // The order is the same as without a kill, since the state contains the drawn seed.
      const tfxio = await openTfxio(path.join(folder, "*.tfrecord"), { inferSchema: "full" });
      const beginning = { ...state, numElements: 0 };
      const dataset = tfxio.dataset({ ...options, workers: 0 });
      const whole = await (await dataset.iterator({ state: beginning })).toArray();
      const ids = whole.flatMap((batch) =>
        Array.from((batch as unknown as { id: { values: BigInt64Array } }).id.values, Number),
      );
      expect(rows).toEqual(ids);
    },
    30_000,
  );
});

const openSome = (...files: readonly string[]): Promise<Tfxio> =>
  openTfxio(
    files.map((file) => path.join(folder, file)),
    { schema: SCHEMA },
  );

describe("the checkpoint of a dataset of files", () => {
  test("is unsupported if sloppyOrdering lets several readers race", async () => {
    const tfxio = await openTfxio(path.join(folder, "*.tfrecord"), { schema: SCHEMA });
    const iterator = await tfxio
      .dataset({ readerNumThreads: 3, workers: 0, sloppyOrdering: true })
      .iterator();
    await iterator.next();
    expect(() => iterator.state()).toThrow(
      expect.objectContaining({
        code: "unsupported",
        reason: "not-repeatable",
        feature: "fromRecordBatches",
      }),
    );
    await iterator.close();
  });

  const stateIn = async (tfxio: Pick<Tfxio, "dataset">): Promise<DatasetState> => {
    const iterator = await tfxio.dataset({ workers: 0, batchSize: 32 }).iterator();
    for (let k = 0; k < 2; k++) await iterator.next();
    const state = iterator.state();
    await iterator.close();
    return state;
  };

  test.each([
    ["a file is missing", ["0.tfrecord"]],
    ["a file is added", ["0.tfrecord", "1.tfrecord", "2.tfrecord"]],
    ["a file is replaced", ["0.tfrecord", "2.tfrecord"]],
    ["the files are in a different order", ["1.tfrecord", "0.tfrecord"]],
  ])("is rejected if %s", async (_, files) => {
    const state = await stateIn(await openSome("0.tfrecord", "1.tfrecord"));
    const other = await openSome(...files);
    await expect(other.dataset({ workers: 0, batchSize: 32 }).iterator({ state })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "other-plan",
    });
  });

  test("is rejected by a different split of the same files", async () => {
    const partOf = async (validation: number): Promise<Pick<Tfxio, "dataset">> =>
      (await openSome("0.tfrecord")).split({ validation, seed: 1 }).train;
    const [first, other] = [await partOf(0.2), await partOf(0.5)];
    const state = await stateIn(first);
    await expect(other.dataset({ workers: 0, batchSize: 32 }).iterator({ state })).rejects.toMatchObject({
      reason: "other-plan",
    });
  });

  test("is accepted for the same files in a different folder", async () => {
    const original = await openSome("0.tfrecord", "1.tfrecord");
    const state = await stateIn(original);
    const moved = mkdtempSync(path.join(tmpdir(), "tfxio-moved-"));
    for (const file of ["0.tfrecord", "1.tfrecord"]) cpSync(path.join(folder, file), path.join(moved, file));
    const tfxio = await openTfxio(path.join(moved, "*.tfrecord"), { schema: SCHEMA });
    const [expected, found] = await Promise.all(
      [original, tfxio].map(async (each) => {
        const dataset = each.dataset({ workers: 0, batchSize: 32 });
        return (await dataset.iterator({ state })).toArray();
      }),
    );
    expect(found?.length).toBeGreaterThan(0);
    expect(found).toEqual(expected);
    rmSync(moved, { recursive: true });
  });
});

test("a cache folder of a dataset of files is rejected by a dataset of different files", async () => {
  const cached = path.join(folder, "cached");
  const [one, two] = [await openSome("0.tfrecord"), await openSome("1.tfrecord")];
  await one.dataset({ workers: 0, shuffle: false }).cache(cached).toArray();
  await expect(two.dataset({ workers: 0, shuffle: false }).cache(cached).toArray()).rejects.toMatchObject({
    reason: "other-plan",
  });
});
