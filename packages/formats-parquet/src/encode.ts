import { sliceBatch } from "@tfxio/arrow-encoding";
import type { BatchWriter } from "@tfxio/format";
import type { ByteTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { createEncoder } from "./engine/encoder.js";
import { FILE } from "./footer/file-footer.js";
import { readThrift } from "./footer/read-thrift.js";
import { listOf, T, type ThriftStruct, type ThriftValue, withFields } from "./footer/thrift.js";
import { writeThrift } from "./footer/write-thrift.js";
import type { ParquetOptions } from "./options.js";
import { indexesOf, type PageIndexes, placedIndexes, shiftedIndexes } from "./row-groups/moved-indexes.js";
import { shiftedGroup } from "./row-groups/shifted-group.js";
import { MAGIC, trailerOf } from "./row-groups/small-file.js";

/** Size in bytes of the trailer after the footer: the footer's length as a little-endian uint32, then the magic `PAR1`. */
const TRAILER_BYTES = 8;

/**
 * Creates a writer of row groups with `rowGroupRows` rows. The engine encodes each row group as a complete file in memory, and
 * the writer copies the pages of that file to the target. After the last pages, it writes the page indexes, and one footer for
 * all row groups. It never holds the rows of more than one row group.
 * @throws The errors of {@link createEncoder}. `write` and `finish` throw the errors of the encoder.
 */
export function createParquetWriter(
  target: ByteTarget,
  arrowSchema: ArrowSchema,
  options: ParquetOptions,
): BatchWriter {
  const encode = createEncoder(arrowSchema, options);
  const groups: ThriftValue[] = [];
  const indexes: PageIndexes[] = [];
  let footer: ThriftStruct | undefined;
  let [offset, numRows, numWaiting] = [0, 0, 0];
  let waiting: RecordBatch[] = [];

  const put = async (bytes: Uint8Array): Promise<void> => {
    offset += bytes.length;
    await target.write(bytes);
  };
  const writeFile = async (batches: readonly RecordBatch[]): Promise<void> => {
    const { pages, struct, pageIndexes } = splitFile(await encode(batches));
    if (offset === 0) await put(MAGIC);
    footer ??= struct;
    const shift = offset - MAGIC.length;
    for (const [index, group] of (listOf(struct.get(FILE.rowGroups)) ?? []).entries()) {
      indexes.push(shiftedIndexes(pageIndexes[index] as PageIndexes, shift));
      groups.push(shiftedGroup(group, shift, groups.length));
    }
    await put(pages);
  };
  return {
    async write(batch) {
      for (let at = 0; at < batch.numRows; ) {
        const end = Math.min(batch.numRows, at + options.rowGroupRows - numWaiting);
        waiting.push(sliceBatch(batch, at, end));
        numWaiting += end - at;
        numRows += end - at;
        at = end;
        if (numWaiting < options.rowGroupRows) continue;
        await writeFile(waiting);
        [waiting, numWaiting] = [[], 0];
      }
    },
    async finish() {
      if (numWaiting > 0 || footer === undefined) await writeFile(waiting);
      const indexed: ThriftValue[] = [];
      for (const [index, group] of groups.entries()) {
        const placed = placedIndexes(group, indexes[index] as PageIndexes, offset);
        indexed.push(placed.group);
        for (const part of placed.parts) await put(part);
      }
      const thrift = writeThrift(
        withFields(footer as ThriftStruct, {
          [FILE.numRows]: { type: T.i64, value: numRows },
          [FILE.rowGroups]: { type: T.list, of: T.struct, value: indexed },
        }),
      );
      await put(thrift);
      await put(trailerOf(thrift));
    },
  };
}

/** Parts of a Parquet file: its pages, its footer as a struct, and its page indexes. Borrows the file's bytes. */
interface SplitFile {
  readonly pages: Uint8Array;
  readonly struct: ThriftStruct;
  /** Page indexes of each row group. */
  readonly pageIndexes: readonly PageIndexes[];
}

function splitFile(file: Uint8Array): SplitFile {
  const end = file.length - TRAILER_BYTES;
  const footerStart = end - new DataView(file.buffer, file.byteOffset + end).getUint32(0, true);
  const { struct } = readThrift(file.subarray(footerStart, end));
  const pageIndexes = (listOf(struct.get(FILE.rowGroups)) ?? []).map((group) => indexesOf(group, file));
  const firstIndex = Math.min(footerStart, ...pageIndexes.map(({ startByte }) => startByte));
  return { pages: file.subarray(MAGIC.length, firstIndex), struct, pageIndexes };
}
