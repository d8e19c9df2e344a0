import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  beamSource,
  type DescribableDecoder,
  portableRunner,
  rawRecordBeamSource,
  recordsToBatches,
} from "@tfxio/beam";
import { installRepairs } from "@tfxio/beam/compat";
import { examplePayload } from "@tfxio/formats-tfrecord";
import type { Tfxio } from "@tfxio/io";
import { defineSchema, int } from "@tfxio/schema";
import type { WindowFn } from "apache-beam/transforms/window";
import type { PipelineResult } from "apache-beam/runners/runner";
import type { RecordBatch } from "apache-arrow";
import type { PCollection, Root } from "apache-beam/pvalue";
import {
  type GroupTotal,
  KeyIds,
  KeyRecords,
  KeyWindows,
  timeOfEvent,
  TotalIds,
  TotalRecords,
} from "./functions.js";

const { coders, internal, requiredCoders, transforms } = installRepairs();
const { parDo, withName } = transforms;

/** The addresses of a job service and of the worker pool that it uses. */
export interface Engine {
  readonly jobEndpoint: string;
  readonly workerPool: string;
}

/** A function that builds a pipeline on `root`. Runners take such a function. */
export type BuildPipeline = (root: Root) => Promise<void>;

/** Runs a pipeline. Resolves when the job is done. */
export function runPipeline(engine: Engine, build: BuildPipeline): Promise<PipelineResult> {
  return portableRunner(engine).run(build);
}

/** Returns a pipeline that reads batches, groups their ids by key, and writes the totals of each group. */
export function totalsOfIds(tfxio: Tfxio, folder: string, failAt = -1, unitBytes = 4_000_000): BuildPipeline {
  return async (root) => {
    const batches = await root.applyAsync(beamSource(tfxio, { unitBytes }));
    totalIds(batches, folder, failAt);
  };
}

/** Adds the steps that group ids by key and write the totals. */
function totalIds(batches: PCollection<RecordBatch>, folder: string, failAt: number): void {
  const entries = new requiredCoders.KVCoder(new coders.StrUtf8Coder(), new coders.VarIntCoder());
  batches
    .apply(withName("Key", parDo(new KeyIds(failAt) as never)))
    .apply(withName("Entries", internal.withCoderInternal(entries)))
    .apply(withName("Group", internal.groupByKey()))
    .apply(withName("Total", parDo(new TotalIds(folder) as never)));
}

/** Returns a pipeline that reads and decodes records, groups their ids by key, and writes the totals of each group. */
export function totalsOfDecoded(tfxio: Tfxio, decoder: DescribableDecoder, folder: string): BuildPipeline {
  return async (root) => {
    const records = await root.applyAsync(rawRecordBeamSource(tfxio, { unitBytes: 500_000 }));
    const batches = await records.applyAsync(recordsToBatches(decoder));
    totalIds(batches, folder, -1);
  };
}

/** Returns a pipeline that reads records, groups them by key, and writes the totals of each group. */
export function totalsOfRecords(tfxio: Tfxio, folder: string): BuildPipeline {
  const entries = new requiredCoders.KVCoder(new coders.StrUtf8Coder(), new requiredCoders.BytesCoder());
  return async (root) => {
    const records = await root.applyAsync(rawRecordBeamSource(tfxio, { unitBytes: 40_000_000 }));
    records
      .apply(withName("Key", parDo(new KeyRecords() as never)))
      .apply(withName("Entries", internal.withCoderInternal(entries)))
      .apply(withName("Group", internal.groupByKey()))
      .apply(withName("Total", parDo(new TotalRecords(folder) as never)));
  };
}

/**
 * Returns a pipeline that reads events in several units and batches them in windows of 1000 seconds. Then it groups the values of
 * the feature `second` by window, and writes the totals of each group.
 * @param periodSeconds Seconds between the starts of windows: 1000 for fixed windows, less for sliding windows.
 */
export function rowsOfWindows(tfxio: Tfxio, folder: string, periodSeconds: number): BuildPipeline {
  const entries = new requiredCoders.KVCoder(new coders.StrUtf8Coder(), new coders.VarIntCoder());
  const windows =
    periodSeconds === 1000 ? transforms.fixedWindows(1000) : transforms.slidingWindows(1000, periodSeconds);
  const schema = defineSchema({ features: { second: int() } });
  return async (root) => {
    const records = await root.applyAsync(rawRecordBeamSource(tfxio, { unitBytes: 100_000 }));
    const inWindows = records
      .apply(withName("Times", transforms.assignTimestamps(timeOfEvent as never)))
      .apply(withName("Windows", transforms.windowInto(windows as WindowFn<never>)));
    const batches = await inWindows.applyAsync(
      recordsToBatches({ payload: examplePayload, schema }, { batchSize: 300 }),
    );
    batches
      .apply(withName("Key", parDo(new KeyWindows() as never, { window: transforms.windowParam() })))
      .apply(withName("Entries", internal.withCoderInternal(entries)))
      .apply(withName("Group", internal.groupByKey()))
      .apply(withName("Total", parDo(new TotalIds(folder) as never)));
  };
}

/** Creates the folder `name` for totals and returns its path. */
export async function totalsFolder(folder: string, name: string): Promise<string> {
  const totals = path.join(folder, name);
  await mkdir(totals);
  return totals;
}

/** Reads all totals that a pipeline wrote into `folder`. */
export async function readTotals(folder: string): Promise<GroupTotal[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  return texts.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as GroupTotal),
  );
}
