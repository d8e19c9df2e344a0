import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { kernels, maskCrc32c } from "@tfxio/wire/kernels";
import { FRAMING_BYTES } from "../decode/tf-record-payloads.js";
import type { BenchSet } from "./bench-set.js";
import { Random } from "./random.js";
import { ReverseWriter } from "./reverse-writer.js";

// Version in the names of generated files. Increment it when the bytes of a set change, so that no bench measures a stale file.
const generatorVersion = 1;
const seed = 20_240_914;
// Maximum length of a payload, and size of the buffer for framed records, in bytes.
const recordCapacity = 1 << 20;
const outputCapacity = 4 << 20;

/** A generated file of TFRecords. */
export interface SetFile {
  readonly path: string;
  readonly numBytes: number;
  readonly numRecords: number;
  /** SHA-256 of the file, in hexadecimal; the same on every machine. */
  readonly sha256: string;
}

/**
 * Generates a TFRecord file of `set`. It ends with the first record that brings the size, including the framing, to at least
 * `numBytes` bytes. The file stays in `folder`, and later runs reuse it. A smaller file of a set is a prefix of a larger one.
 */
export async function generateSet(set: BenchSet, numBytes: number, folder: string): Promise<SetFile> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${set.recordsOf ?? set.name}-${numBytes}-v${generatorVersion}.tfrecord`);
  const manifest = `${file}.json`;
  if (existsSync(file) && existsSync(manifest)) {
    return { path: file, ...(JSON.parse(await readFile(manifest, "utf8")) as Omit<SetFile, "path">) };
  }
  const temporary = `${file}.${process.pid}.tmp`;
  const facts = await writeRecords(set, numBytes, temporary);
  await rename(temporary, file);
  await writeFile(manifest, JSON.stringify(facts));
  return { path: file, ...facts };
}

async function writeRecords(set: BenchSet, numBytes: number, file: string): Promise<Omit<SetFile, "path">> {
  const writeRecord = set.createRecordWriter(new Random(seed));
  const record = new ReverseWriter(recordCapacity);
  const output = new Uint8Array(outputCapacity);
  const view = new DataView(output.buffer);
  const hash = createHash("sha256");
  const target = await open(file, "w");
  let buffered = 0;
  let written = 0;
  let numRecords = 0;
  const flush = async (): Promise<void> => {
    const chunk = output.subarray(0, buffered);
    hash.update(chunk);
    await target.writeFile(chunk);
    buffered = 0;
  };
  try {
    for (; written < numBytes; numRecords++) {
      record.clear();
      writeRecord(record);
      const payload = record.message();
      if (buffered + payload.length + FRAMING_BYTES > output.length) await flush();
      frame(output, view, buffered, payload);
      buffered += payload.length + FRAMING_BYTES;
      written += payload.length + FRAMING_BYTES;
    }
    await flush();
  } finally {
    await target.close();
  }
  return { numBytes: written, numRecords, sha256: hash.digest("hex") };
}

/**
 * Writes a framed record: the length and its masked CRC, then the payload and its masked CRC.
 * @see tensorflow/core/lib/io/record_writer.h
 */
function frame(output: Uint8Array, view: DataView, start: number, payload: Uint8Array): void {
  view.setUint32(start, payload.length, true);
  view.setUint32(start + 4, 0, true);
  view.setUint32(start + 8, maskedCrc(output, start, start + 8), true);
  output.set(payload, start + 12);
  const end = start + 12 + payload.length;
  view.setUint32(end, maskedCrc(output, start + 12, end), true);
}

function maskedCrc(bytes: Uint8Array, start: number, end: number): number {
  return maskCrc32c(kernels().crc32c(bytes, start, end));
}
