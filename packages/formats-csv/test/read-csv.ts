import { plainRows } from "@tfxio/arrow-encoding";
import type { ReadProgress, ReadRequest } from "@tfxio/format";
import { type CsvOptions, csv } from "@tfxio/formats-csv";
import { bytesSource } from "@tfxio/wire";

/** Options for reading CSV content. */
export interface CsvReading {
  readonly options?: Partial<CsvOptions>;
  readonly request?: ReadRequest;
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** Reads the rows of CSV content, part by part if splits are subdivided. Each cell is a list of values, or null. */
export async function readCsv(
  content: string | Uint8Array,
  { options, request, onProgress }: CsvReading = {},
): Promise<object[]> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const reader = await csv.open([bytesSource(bytes, "data.csv")], options && { options });
  const plan = await reader.plan(request);
  const rows: object[] = [];
  for (const split of plan.splits) {
    for (const part of (await plan.subdivide?.(split)) ?? [split]) {
      for await (const batch of plan.read(part, onProgress && { onProgress })) rows.push(...plainRows(batch));
    }
  }
  return rows;
}
