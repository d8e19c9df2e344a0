import type { Compression } from "@tfxio/wire";
import {
  anInteger,
  aPositiveInteger,
  aReadCompression,
  assertOptions,
  type OptionRules,
} from "@tfxio/wire/checks";
import type { RecordContainer, RecordCut } from "../records/record-format-parts.js";
import { plainLength } from "./cut-source.js";
import { recordBlocks } from "./record-blocks.js";
import { Bounds } from "./record-bounds.js";

/** Options of {@link fixedLengthContainer}. */
export interface FixedLengthOptions {
  /** Number of bytes in each record. Required: the default of 0 throws. */
  readonly recordBytes: number;
  /** Number of uncompressed bytes before the first record. Default 0. */
  readonly headerBytes: number;
  /** `"auto"` (default) detects gzip by its first bytes. */
  readonly compression: Compression | "auto";
}

const RULES: OptionRules<FixedLengthOptions> = {
  recordBytes: aPositiveInteger,
  headerBytes: anInteger(0),
  compression: aReadCompression,
};

/**
 * A container of consecutive records of equal length, as in image sets such as MNIST and CIFAR. Uncompressed files are cut into
 * parts without reading their records, and every cut includes the index of the record that begins there.
 */
export const fixedLengthContainer: RecordContainer<FixedLengthOptions> = {
  id: "fixed-length",
  extensions: [],
  defaults: { recordBytes: 0, headerBytes: 0, compression: "auto" },
  assertOptions: (options) => assertOptions("fixed-length", options, RULES),
  async cuts(source, { options: { recordBytes, headerBytes, compression }, partBytes, signal }) {
    const byteLength = await plainLength({ source, compression, signal });
    const numRecords = Math.max(1, Math.ceil(partBytes / recordBytes));
    const cuts: RecordCut[] = [];
    for (let recordIndex = numRecords; ; recordIndex += numRecords) {
      const byteOffset = headerBytes + recordIndex * recordBytes;
      if (byteOffset >= (byteLength ?? 0)) return cuts;
      cuts.push({ byteOffset, recordIndex });
    }
  },
  blocks(source, context) {
    const { recordBytes, headerBytes, compression } = context.options;
    return recordBlocks(source, context, { compression, headerBytes, recordName: "record" }, (bytes) => {
      const bounds = new Bounds(bytes.length / recordBytes);
      let at = 0;
      for (; at + recordBytes <= bytes.length; at += recordBytes) bounds.add(at, at + recordBytes, 0);
      return bounds.found(at);
    });
  },
};
