import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beamSource, portableRunner, rawRecordBeamSource } from "@tfxio/beam";
import { installRepairs } from "@tfxio/beam/compat";
import type { Tfxio } from "@tfxio/io";
import type { PipelineResult } from "apache-beam/runners/runner";
import type { Root } from "apache-beam/pvalue";
import { type GroupTotal, KeyIds, KeyRecords, TotalIds, TotalRecords } from "./functions.js";

const { coders, internal, requiredCoders, transforms } = installRepairs();
const { parDo, withName } = transforms;

/** A job service, and the workers that it is to use. */
export interface Engine {
  readonly jobEndpoint: string;
  readonly workerPool: string;
}

/** A pipeline, as runners take it. */
export type BuildPipeline = (root: Root) => Promise<void>;

/** Runs a pipeline to its end. */
export function runPipeline(engine: Engine, build: BuildPipeline): Promise<PipelineResult> {
  return portableRunner(engine).run(build);
}

/** Reads batches, groups their ids by key, and writes the total of each group. */
export function totalsOfIds(tfxio: Tfxio, folder: string, failAt = -1, unitBytes = 4_000_000): BuildPipeline {
  const entries = new requiredCoders.KVCoder(new coders.StrUtf8Coder(), new coders.VarIntCoder());
  return async (root) => {
    const batches = await root.applyAsync(beamSource(tfxio, { unitBytes }));
    batches
      .apply(withName("Key", parDo(new KeyIds(failAt) as never)))
      .apply(withName("Entries", internal.withCoderInternal(entries)))
      .apply(withName("Group", internal.groupByKey()))
      .apply(withName("Total", parDo(new TotalIds(folder) as never)));
  };
}

/** Reads records, groups them by their first byte, and writes the total of each group. */
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

/** A folder for totals. */
export async function totalsFolder(folder: string, name: string): Promise<string> {
  const totals = path.join(folder, name);
  await mkdir(totals);
  return totals;
}

/** Every line that a pipeline wrote. */
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
