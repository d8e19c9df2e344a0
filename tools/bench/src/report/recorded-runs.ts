import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { factsFile } from "../run-facts.js";

/** Path of the file that `bench record` writes its measurements to. */
export function recordedFile(docsFolder: string): string {
  return path.join(docsFolder, "benchmarks", "run.json");
}

/** Paths of the recorded measurements, sorted by name. */
export async function recordedRuns(docsFolder: string): Promise<readonly string[]> {
  const folder = path.dirname(recordedFile(docsFolder));
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith(".json") && !name.endsWith(".meta.json"))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Removes the records of earlier runs beside {@link recordedFile}, because the page describes one run. */
export async function removeOlderRuns(docsFolder: string): Promise<void> {
  for (const file of await recordedRuns(docsFolder)) {
    if (file === recordedFile(docsFolder)) continue;
    await rm(file);
    await rm(factsFile(file), { force: true });
  }
}
