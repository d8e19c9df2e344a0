import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import type { SetFile } from "../sets/generate.js";

/** A file to stream, and how to be rid of it. */
export interface StreamedFile {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  remove(): Promise<void>;
}

/** At least `numBytes` bytes of `set`, over and over: TFRecord files may be put one behind the other. */
export async function writeStreamedFile(set: SetFile, numBytes: number): Promise<StreamedFile> {
  const times = Math.ceil(numBytes / set.numBytes);
  const file = path.join(path.dirname(set.path), `streamed-${process.pid}.tfrecord`);
  const target = await open(file, "w");
  try {
    for (let time = 0; time < times; time++) {
      for await (const chunk of createReadStream(set.path, { highWaterMark: 1 << 20 })) {
        await target.writeFile(chunk as Buffer);
      }
    }
  } finally {
    await target.close();
  }
  return {
    path: file,
    numBytes: set.numBytes * times,
    numRecords: set.numRecords * times,
    remove: () => rm(file),
  };
}
