import type { WriteSummary } from "@tfxio/io";
import { bytesText, counted } from "./units.js";

/** Options of {@link writtenText}. */
export interface WrittenTextOptions {
  readonly isJson: boolean;
  /** Duration of the write. Not part of the JSON object. */
  readonly milliseconds: number;
}

/** Formats the summary of a write as a readable line or a JSON object. Both end with a line break. */
export function writtenText(
  { uris, numRows, numBytes, numResumed = 0 }: WriteSummary & { readonly numResumed?: number },
  { isJson, milliseconds }: WrittenTextOptions,
): string {
  if (isJson) return `${JSON.stringify({ uris, numRows, numBytes, numResumed })}\n`;
  const [first = ""] = uris;
  const files =
    uris.length === 1 ? first : `${counted(uris.length, "file")} (${first} to ${uris.at(-1) ?? ""})`;
  const resumed = numResumed === 0 ? "" : `; kept ${counted(numResumed, "shard")} from an earlier run`;
  return `Wrote ${counted(numRows, "row")} (${bytesText(numBytes)}) to ${files} in ${(milliseconds / 1000).toFixed(1)} s${resumed}\n`;
}
