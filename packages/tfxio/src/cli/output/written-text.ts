import type { WriteSummary } from "@tfxio/io";
import { bytesText, counted } from "./units.js";

/** How the summary of a write is shown. */
export interface WrittenTextOptions {
  readonly isJson: boolean;
  /** What the write took. */
  readonly milliseconds: number;
}

/** What was written, as a line for people or an object. */
export function writtenText(
  { uris, numRows, numBytes, numResumed = 0 }: WriteSummary & { readonly numResumed?: number },
  { isJson, milliseconds }: WrittenTextOptions,
): string {
  if (isJson) return `${JSON.stringify({ uris, numRows, numBytes, numResumed })}\n`;
  const [first = ""] = uris;
  const files =
    uris.length === 1 ? first : `${counted(uris.length, "file")}, ${first} to ${uris.at(-1) ?? ""}`;
  const resumed = numResumed === 0 ? "" : `; ${counted(numResumed, "shard")} of an earlier run`;
  return `Wrote ${counted(numRows, "row")}, ${bytesText(numBytes)}, to ${files} in ${(milliseconds / 1000).toFixed(1)} s${resumed}\n`;
}
