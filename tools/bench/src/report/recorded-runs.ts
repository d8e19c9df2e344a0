import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { factsFile } from "../run-facts.js";

/** The file into which `bench record` puts its measurements. */
export function recordedFile(docsFolder: string): string {
  return path.join(docsFolder, "benchmarks", "run.json");
}

/** Files of the measurements that the page is made of, in the order of their names. */
export async function recordedRuns(docsFolder: string): Promise<readonly string[]> {
  const folder = path.dirname(recordedFile(docsFolder));
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith(".json") && !name.endsWith(".meta.json"))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Removes what earlier runs recorded beside {@link recordedFile}: the page is about one run. */
export async function removeOlderRuns(docsFolder: string): Promise<void> {
  for (const file of await recordedRuns(docsFolder)) {
    if (file === recordedFile(docsFolder)) continue;
    await rm(file);
    await rm(factsFile(file), { force: true });
  }
}
