import { existsSync } from "node:fs";
import { describe } from "@jest/globals";
import type { Format } from "@tfxio/format";

/** Options of the format in `toy.mjs`. */
export interface ToyOptions {
  readonly batches: number;
  /** Behaviour after the batches. `stall` waits for the abort, and `spin` runs forever after setting `produced` to -1. */
  readonly ending: "end" | "spin" | "exit" | "throw-later" | "type-error" | "stall";
  /** Number of batches created by all threads. */
  readonly produced: SharedArrayBuffer | undefined;
  /** Number of readers closed by all threads. */
  readonly closed: SharedArrayBuffer | undefined;
}

export const toyModule: string = new URL("./toy.mjs", import.meta.url).href;

export async function importToy(): Promise<Format<ToyOptions>> {
  const { toy } = (await import(toyModule)) as { readonly toy: Format<ToyOptions> };
  return toy;
}

const isBuilt = existsSync(new URL("../../dist/node/serve-node.js", import.meta.url));
if (!isBuilt) console.warn("packages/io is not built: tests that run the built packages are skipped");

/** Defines tests that run the built packages, in worker threads or in other processes. Skips the tests if there is no build. */
export const describeBuilt: typeof describe.skip = isBuilt ? describe : describe.skip;

/** A row of the format in `table.mjs`. Absent members are null. */
export interface TableRow {
  readonly id: number;
  readonly weight?: number | null;
  readonly name?: string | null;
  readonly isNew?: boolean | null;
}

/** Creates a file of the format in `table.mjs`. */
export const tableFile = (rows: readonly TableRow[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(rows));

export async function importTable(): Promise<Format<{ readonly splitRows: number }>> {
  const url = new URL("./table.mjs", import.meta.url).href;
  return ((await import(url)) as { readonly table: Format<{ readonly splitRows: number }> }).table;
}
