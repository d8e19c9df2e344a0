import type { Format } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { openSources } from "@tfxio/wire";
import type { ReadTable } from "./in-process.js";

/**
 * Returns a function that reads a file with the reader of `format` on this thread, one split after another. Without `schema`, a
 * reader of CSV or JSON Lines infers the kinds of the columns.
 */
export function readFormat(format: Format, schema?: Schema): ReadTable {
  return async ({ path }, sink) => {
    const sources = await openSources(path);
    const reader = await format.open(sources);
    try {
      const plan = await reader.plan({ schema });
      for (const split of plan.splits) for await (const batch of plan.read(split)) sink(batch);
    } finally {
      await reader.close();
    }
  };
}
