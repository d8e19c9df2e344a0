import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { factsFile } from "../run-facts.js";

/** Returns the path of the file to which `bench record` writes the measurements. */
export function recordedFile(docsFolder: string): string {
  return path.join(docsFolder, "benchmarks", "run.json");
}

/** Resolves to the paths of the recorded measurements, sorted by name. Empty if the folder does not exist. */
export async function recordedRuns(docsFolder: string): Promise<readonly string[]> {
  const folder = path.dirname(recordedFile(docsFolder));
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith(".json") && !name.endsWith(".meta.json"))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Deletes all recorded measurements except the file of {@link recordedFile}, so that the page describes only that file's run. */
export async function removeOlderRuns(docsFolder: string): Promise<void> {
  for (const file of await recordedRuns(docsFolder)) {
    if (file === recordedFile(docsFolder)) continue;
    await rm(file);
    await rm(factsFile(file), { force: true });
  }
}
