import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";

/** A file to stream, and a function that removes it. */
export interface StreamedFile {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  /** Deletes the file. */
  remove(): Promise<void>;
}

/** A generated file, which is repeated to create a larger one. */
export interface FilePart {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  /** Number of bytes at the start of the file that must not repeat, such as a CSV header. Default: 0. */
  readonly headerBytes?: number;
}

/** Writes a file that repeats `part` until it has about `numBytes` bytes. The format must allow files to be concatenated. */
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

/** Returns a path in the folder of `part`. The path contains the process id, so no other process uses it. */
export function streamedPath(part: string): string {
  return path.join(path.dirname(part), `streamed-${process.pid}${path.extname(part)}`);
}
