import path from "node:path";
import { plainRows } from "@tfxio/arrow-encoding";
import { jsonl } from "@tfxio/formats-jsonl";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import {
  checkReadings,
  type ForeignFile,
  readBatches,
  type Readings,
  writeBatches,
} from "./foreign-files.js";

/** Checks that we read the JSON Lines files of other writers, and that other readers read ours. */
export async function checkJsonFiles(
  written: readonly ForeignFile[],
  python: string,
  folder: string,
  report: Reporter,
): Promise<void> {
  for (const { file, writer, rows } of written) {
    await report.check(`we read ${file} as ${writer} wrote it`, async () => {
      const batches = await readBatches(jsonl, path.join(folder, file));
      assertSame(rows, batches.flatMap(plainRows));
    });
  }
  const [first] = written as readonly [ForeignFile];
  const ours = path.join(folder, "ours.jsonl");
  await writeBatches(jsonl, ours, await readBatches(jsonl, path.join(folder, first.file)), {});
  await checkReadings("JSON Lines", (await runPython(python, "json_compare.py", [ours])) as Readings, report);
}
