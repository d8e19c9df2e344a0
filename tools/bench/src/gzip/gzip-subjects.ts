import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { openTfxio } from "@tfxio/io";
import { decompressed, openSources } from "@tfxio/wire";
import { schemaOf } from "../decode/our-subjects.js";
import { batchRows } from "../decode/subject.js";
import { BenchError } from "../measurement.js";
import type { BenchSet } from "../sets/bench-set.js";
import type { SetFile } from "../sets/generate.js";

/** One way to read a gzip file. */
export interface GzipSubject {
  readonly name: string;
  /**
   * Reads the gzip file at `path` once.
   * @param inflated The set's uncompressed file, with the expected numbers of records and bytes.
   * @throws {BenchError} if the number of records or bytes differs.
   */
  read(path: string, set: BenchSet, inflated: SetFile): Promise<void>;
}

/** The subjects. `ours:batches` reads record batches. All others only inflate, with our code or with an API of Node. */
export const gzipSubjects: readonly GzipSubject[] = [
  {
    name: "ours:batches",
    read: async (path, set, { numRecords }) => {
      const tfxio = await openTfxio(path, { schema: schemaOf(set.columns) });
      let numRows = 0;
      const batches = tfxio.recordBatches({ batchSize: batchRows, workers: 0 });
      for await (const batch of batches) numRows += batch.numRows;
      await tfxio.close();
      assertAll(`gzip ${set.name}: ours:batches read`, "records", numRows, numRecords);
    },
  },
  {
    name: "ours:inflate",
    read: async (path, set, { numBytes }) => {
      const [source] = await openSources(path);
      if (source === undefined) throw new BenchError(`no source for ${path}`);
      const found = await countBytes(decompressed(source));
      assertAll(`gzip ${set.name}: ours:inflate read`, "bytes", found, numBytes);
    },
  },
  inflater("zlib:1MiB", (path) => createReadStream(path).pipe(createGunzip({ chunkSize: 1 << 20 }))),
  inflater("zlib:16KiB", (path) => createReadStream(path).pipe(createGunzip())),
  inflater("DecompressionStream", (path) =>
    // Node and the DOM declare web streams as different types, although the streams are compatible.
    (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new DecompressionStream("gzip"),
    ),
  ),
];

function inflater(name: string, inflate: (path: string) => AsyncIterable<Uint8Array>): GzipSubject {
  return {
    name,
    read: async (path, set, { numBytes }) =>
      assertAll(`gzip ${set.name}: ${name} read`, "bytes", await countBytes(inflate(path)), numBytes),
  };
}

async function countBytes(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let numBytes = 0;
  for await (const chunk of chunks) numBytes += chunk.length;
  return numBytes;
}

function assertAll(what: string, unit: string, found: number, expected: number): void {
  if (found !== expected) throw new BenchError(`${what} ${found} ${unit}, expected ${expected}`);
}
