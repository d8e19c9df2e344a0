import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ArgumentError } from "@tfxio/wire";
import type { Measurement } from "./measurement.js";
import { factsFile, type RunFacts } from "./run-facts.js";

/**
 * Writes the measurements to the file `json`, and the facts to the path that {@link factsFile} returns. Creates the folder if
 * necessary.
 * @throws {ArgumentError} `invalid-argument` if a file cannot be written.
 */
export async function saveRun(
  json: string,
  measurements: readonly Measurement[],
  facts: RunFacts,
): Promise<void> {
  try {
    await mkdir(path.dirname(json), { recursive: true });
    await writeFile(json, `${JSON.stringify(measurements, null, 1)}\n`);
    await writeFile(factsFile(json), `${JSON.stringify(facts, null, 1)}\n`);
  } catch (cause) {
    throw new ArgumentError("invalid-argument", `--json: ${(cause as Error).message}`, {
      argument: "json",
      cause,
    });
  }
}
