import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Interop, Reporter } from "../interop.js";
import { pythonWith } from "../python.js";
import { backToArrow, randomConversions } from "./cases/converted-tensors.js";
import { type DecodedQuestions, decodedQuestions, type OurBatch } from "./decoded-batches.js";
import { fixedCases, fixedExamples, fixedSequences } from "./cases/fixed-cases.js";
import { hostileOurs } from "./hostile.js";
import { hostileBatches, recordsPerBatch } from "./cases/hostile-records.js";
import { knownDifferences } from "./known-differences.js";
import { createListedDifferences, type ListedDifferences } from "./listed-differences.js";
import { createPeer, type Peer } from "./peer.js";
import { batchFaults, encodedFaults, fileFaults } from "./planted/batches.js";
import { type PlantedFault, reportPlanted } from "./planted/planted-fault.js";
import { conversionFaults, schemaFaults, vectorFaults } from "./planted/conversions.js";
import { tensorFaults } from "./planted/tensors.js";
import { type Question, reportEach, reportTogether } from "./question.js";
import { randomSchemas } from "./cases/random-schemas.js";
import { randomTensors } from "./cases/random-tensors.js";
import { realFiles } from "./real-files.js";
import { vectorQuestions, vectorsAnswered } from "./vectors.js";

/** Seed of all random cases. A different seed produces different cases. */
const seed = 1;
const defaultRecords = 2000;

/** The state that all parts of a run share. */
interface Run {
  readonly peer: Peer;
  readonly listed: ListedDifferences;
  readonly report: Reporter;
  /** Number of random records of each form. The numbers of other random cases are proportional to it. */
  readonly numRecords: number;
}

/** Compares our results with those of tfx_bsl for the same inputs. */
export const tfxBsl: Interop = {
  name: "tfx-bsl",
  about:
    "compares our results with tfx_bsl's for test vectors, real files, hostile records and random tensors",
  run: async (context) => {
    const { report, environment, dataFolder } = context;
    const python = await pythonWith("tfx_bsl", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const run: Run = {
      peer: createPeer(python, folder),
      listed: createListedDifferences(knownDifferences),
      report,
      numRecords: Number(environment["TFXIO_FUZZ_RECORDS"] ?? defaultRecords),
    };
    try {
      await checkVectors(run);
      await checkRecords(run);
      await checkTensors(run);
      if (existsSync(dataFolder)) await checkFiles(run, dataFolder);
      else report.skipped("real files", `${dataFolder} does not exist`);
      run.listed.reportSeen(report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function checkVectors({ peer, listed, report }: Run): Promise<void> {
  const questions = await vectorQuestions(peer);
  await reportEach("test vectors", questions, listed, report);
  await reportPlanted("test vectors", vectorFaults, questions, report);
}

async function checkRecords(run: Run): Promise<void> {
  const count = Math.ceil(run.numRecords / recordsPerBatch);
  const forms = [
    ["example", "tf.Examples", fixedExamples],
    ["sequence", "tf.SequenceExamples", fixedSequences],
  ] as const;
  for (const [form, area, fixed] of forms) {
    const ours = await hostileOurs(form, [...fixed, ...hostileBatches(seed, count, form)]);
    await checkDecoded(run, area, ours, true);
  }
}

async function checkTensors({ peer, listed, report, numRecords }: Run): Promise<void> {
  // One Python process answers all these cases, because Python and tfx_bsl take a long time to start.
  const asked = [
    fixedCases,
    randomSchemas(seed, Math.ceil(numRecords / 4)),
    randomTensors(seed, Math.ceil(numRecords / 2)),
  ];
  const answered = await vectorsAnswered(peer, asked.flat());
  const [fixed = [], schemas = [], tensors = []] = asked.map((cases, index) => {
    const start = asked.slice(0, index).flat().length;
    return answered.slice(start, start + cases.length);
  });
  const conversions = await vectorsAnswered(peer, [
    ...backToArrow(tensors),
    ...randomConversions(seed, Math.ceil(numRecords / 4)),
  ]);
  const blocks: readonly (readonly [string, readonly Question[], readonly PlantedFault[]])[] = [
    ["fixed cases", fixed, []],
    ["representations of schemas", schemas, schemaFaults],
    ["tensors of batches", tensors, tensorFaults],
    ["batches of tensors", conversions, conversionFaults],
  ];
  for (const [area, questions, faults] of blocks) {
    await reportTogether(area, questions, listed, report);
    await reportPlanted(area, faults, questions, report);
  }
}

async function checkFiles(run: Run, dataFolder: string): Promise<void> {
  const ours: OurBatch[] = [];
  for await (const batches of realFiles(dataFolder)) ours.push(...batches);
  await checkDecoded(run, "real files", ours, false);
}

/** Reports the comparisons of decoded records and, if `isPlanted`, whether planted faults are detected. */
async function checkDecoded(
  { peer, listed, report }: Run,
  area: string,
  ours: readonly OurBatch[],
  isPlanted: boolean,
): Promise<void> {
  const found = await decodedQuestions(peer, ours);
  const blocks: readonly (readonly [string, keyof DecodedQuestions, readonly PlantedFault[]])[] = [
    [area, "batches", batchFaults],
    [`${area} as Arrow IPC`, "faults", fileFaults],
    [`${area} encoded`, "encoded", encodedFaults],
    [`${area} as tensors`, "tensors", []],
  ];
  for (const [block, kind, faults] of blocks) {
    const questions = found[kind];
    if (questions.length === 0) continue;
    await reportTogether(block, questions, listed, report);
    if (isPlanted) await reportPlanted(block, faults, questions, report);
  }
}
