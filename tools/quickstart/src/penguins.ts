import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { writeTfRecords } from "@tfxio/wire";

/** A row of the penguin table in the `vega-datasets` package. Missing values are null. */
interface Penguin {
  readonly Species: string;
  readonly Island: string;
  readonly Sex: string | null;
  readonly "Beak Length (mm)": number | null;
  readonly "Beak Depth (mm)": number | null;
  readonly "Flipper Length (mm)": number | null;
  readonly "Body Mass (g)": number | null;
}

const SPECIES = ["Adelie", "Chinstrap", "Gentoo"];

/** The files that {@link writePenguins} wrote. */
export interface PenguinFiles {
  /** Glob of the training files. */
  readonly train: string;
  /** Glob of the test files. */
  readonly test: string;
  readonly numTrain: number;
  readonly numTest: number;
}

/**
 * Writes the table as gzip TFRecords of tf.Examples. Every fifth row goes into the test split. A missing value becomes a
 * feature without a kind, which is read as null, not as 0 or an empty list.
 */
export async function writePenguins(folder: string): Promise<PenguinFiles> {
  const entry = createRequire(import.meta.url).resolve("vega-datasets");
  const table = path.join(path.dirname(entry), "..", "data", "penguins.json");
  const penguins = JSON.parse(await readFile(table, "utf8")) as Penguin[];
  await mkdir(folder, { recursive: true });
  const isTest = (_: unknown, row: number): boolean => row % 5 === 4;
  const train = await writeSplit(
    folder,
    "train",
    penguins.filter((row, index) => !isTest(row, index)),
    4,
  );
  const test = await writeSplit(folder, "test", penguins.filter(isTest), 2);
  return { train: train.glob, test: test.glob, numTrain: train.numRecords, numTest: test.numRecords };
}

async function writeSplit(
  folder: string,
  name: string,
  rows: readonly Penguin[],
  numShards: number,
): Promise<{ glob: string; numRecords: number }> {
  const target = path.join(folder, `${name}.tfrecord.gz`);
  const { numRecords } = await writeTfRecords(rows.map(exampleOf), target, {
    compression: "gzip",
    numShards,
  });
  return { glob: path.join(folder, `${name}*`).replaceAll(path.sep, "/"), numRecords };
}

function exampleOf(row: Penguin): Uint8Array {
  return encodeExample({
    species: { kind: "int64", values: [SPECIES.indexOf(row.Species)] },
    island: { kind: "bytes", values: [row.Island] },
    sex: row.Sex === null ? null : { kind: "bytes", values: [row.Sex] },
    beak_length_mm: measured(row["Beak Length (mm)"]),
    beak_depth_mm: measured(row["Beak Depth (mm)"]),
    flipper_length_mm: measured(row["Flipper Length (mm)"]),
    body_mass_g: measured(row["Body Mass (g)"]),
  });
}

function measured(value: number | null): FeatureValues | null {
  return value === null ? null : { kind: "float", values: [value] };
}
