import type { WritableFormat } from "@tfxio/format";
import { arrowFormat } from "./arrow-format.js";
import { lateCodecs } from "./compression/late-codecs.js";
import type { ArrowOptions } from "./options.js";

/**
 * Arrow IPC files and streams, and Feather files. A Feather V2 file is an IPC file. Feather V1 files can be read but not written.
 * Readers detect the container from the bytes, not from the file name. Buffers may be compressed with LZ4 or ZSTD, and streams
 * with gzip.
 *
 * Batches have the types of the file, including dictionaries. Views of text and bytes are expanded to Utf8 and Binary, list views
 * to lists, and run-end encoded arrays to their values. 64-bit dictionary indices become Int32. If the source is in memory,
 * batches borrow its uncompressed bytes where possible. Stored batches longer than `batchSize` rows are sliced without a copy.
 * Shorter ones are joined by copying them once, unless `joinBatches` is false, they contain unions, or their dictionaries differ.
 * A row position is the index of a row in its file.
 *
 * With a schema, a batch has one column for each feature. The column keeps the type that it has in the file, and `openTfxio`
 * converts the column to the type of the feature. A file is one split, which `subdivide` can divide at the boundaries of record
 * batches. A stream from a pipe or socket must end with the end marker, but a stream in a file need not.
 * @see https://arrow.apache.org/docs/format/Columnar.html
 */
export const arrow: WritableFormat<ArrowOptions> = arrowFormat(lateCodecs, import.meta.url);
