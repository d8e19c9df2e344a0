import type { ByteSource } from "@tfxio/wire";
import type { Limits } from "../limits.js";
import type { Split } from "../read-plan.js";
import type { PayloadPlan, RecordContainer, RecordCut, RecordPart } from "./record-format-parts.js";

/** Default size of a part in bytes. A worker reads such a part in a fraction of a second. */
const DEFAULT_PART_BYTES: number = 64 * 2 ** 20;

/** Options of {@link partsOf}. */
export interface SplitCutting<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly options: Options;
  readonly limits: Limits;
  /** Desired size of a part in bytes. */
  readonly splitBytes: number | undefined;
  readonly plan: Pick<PayloadPlan, "needsRecordIndices">;
  readonly signal: AbortSignal | undefined;
}

/** Cuts a split into parts. Returns only the split itself if it cannot be cut or is already a part. */
export async function partsOf<Options extends object>(
  source: ByteSource,
  split: Split,
  { container, options, limits, splitBytes, plan, signal }: SplitCutting<Options>,
): Promise<readonly Split[]> {
  if (container.cuts === undefined || split.start !== undefined) return [split];
  const partBytes = splitBytes ?? DEFAULT_PART_BYTES;
  const cuts = await container.cuts(source, { options, limits, partBytes, signal });
  if (cuts.length === 0 || (plan.needsRecordIndices === true && !cuts.every(hasRecordIndex))) return [split];
  const { index, uri } = split;
  return [{ byteOffset: 0, recordIndex: 0 }, ...cuts].map(({ byteOffset: start, recordIndex }, part) => {
    const end = cuts[part]?.byteOffset ?? source.byteLength;
    return {
      index,
      uri,
      start,
      ...(end !== undefined && { end, numBytes: end - start }),
      ...(recordIndex !== undefined && { detail: { recordIndex } }),
    };
  });
}

/** Returns the part of a source that a split covers; undefined for the whole source. */
export function recordPartOf({ start, end, detail }: Split): RecordPart | undefined {
  if (start === undefined) return undefined;
  const { recordIndex } = Object(detail) as { readonly recordIndex?: number };
  return { start, end, firstRecordIndex: recordIndex };
}

function hasRecordIndex({ recordIndex }: RecordCut): boolean {
  return recordIndex !== undefined;
}
