import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";

/** A file to stream, and how to be rid of it. */
export interface StreamedFile {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  remove(): Promise<void>;
}

/** A generated file of which a larger one is made. */
export interface FilePart {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  /** Bytes at its start that stand once in the larger file. Default 0. */
  readonly headerBytes?: number;
}

/** At least `numBytes` bytes: the records of `part` over and over. Its format must allow files one after the other. */
export async function writeStreamedFile(part: FilePart, numBytes: number): Promise<StreamedFile> {
  const { headerBytes = 0 } = part;
  const times = Math.ceil(numBytes / part.numBytes);
  const file = streamedPath(part.path);
  const target = await open(file, "w");
  try {
    for (let time = 0; time < times; time++) {
      const start = time === 0 ? 0 : headerBytes;
      for await (const chunk of createReadStream(part.path, { start, highWaterMark: 1 << 20 })) {
        await target.writeFile(chunk as Buffer);
      }
    }
  } finally {
    await target.close();
  }
  return {
    path: file,
    numBytes: part.numBytes * times - headerBytes * (times - 1),
    numRecords: part.numRecords * times,
    remove: () => rm(file),
  };
}

/** A name beside `part` that no other process uses. */
export function streamedPath(part: string): string {
  return path.join(path.dirname(part), `streamed-${process.pid}${path.extname(part)}`);
}
