import { createFormatRegistry, defineFormat, type FormatRegistry, type Split } from "@tfxio/format";
import type { ReadDescription } from "@tfxio/io";

/** Files of a simulated cluster. They have sizes, but no contents. */
export interface SimulatedFiles {
  readonly numFiles: number;
  readonly fileBytes: number;
  /** A file whose index is a multiple of this number cannot be split, like a gzip file. Default: all files can be split. */
  readonly everyUncuttable?: number | undefined;
}

/** Describes a read of simulated files. */
export function simulatedRead({ numFiles, fileBytes, everyUncuttable }: SimulatedFiles): ReadDescription {
  const sources = Array.from({ length: numFiles }, (_, index) => {
    const extension = everyUncuttable !== undefined && index % everyUncuttable === 0 ? "gz" : "data";
    const uri = `/data/part-${String(index).padStart(5, "0")}.${extension}`;
    return { uri, origin: uri, byteLength: fileBytes, version: `${fileBytes}-1` };
  });
  return { version: 1, format: { id: "simulated" }, sources, stores: [], request: {} };
}

/** A format that splits files, except `.gz` files, into parts of `splitBytes`, without reading them. */
export const simulatedFormats: FormatRegistry = createFormatRegistry(
  defineFormat<object>({
    id: "simulated",
    extensions: [],
    defaults: {},
    contractVersion: 2,
    reads: { subdivide: true },
    open: async (sources) => ({
      plan: async ({ splitBytes = 2 ** 26 }) => ({
        splits: sources.map(({ uri, byteLength }, index) => ({ index, uri, numBytes: byteLength })),
        async *read() {},
        subdivide: async (split: Split) => {
          const { index, uri, numBytes = 0 } = split;
          if (uri.endsWith(".gz")) return [split];
          return Array.from({ length: Math.ceil(numBytes / splitBytes) }, (_, part) => {
            const start = part * splitBytes;
            const end = Math.min(numBytes, start + splitBytes);
            return { index, uri, start, end, numBytes: end - start };
          });
        },
      }),
    }),
  }),
);
