import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { encodeTfRecords } from "@tfxio/wire";

/**
 * Messages of the type `shop.Visit` in fixtures/decoder.mjs, encoded by hand as protobuf.dev describes: user 7 with clicks on
 * "a" (5 ms) and "b" (300 ms), user 8 without clicks, and user 9 with a click on "c" (0 ms, a default that is not encoded).
 */
export const VISITS: readonly Uint8Array[] = [
  Uint8Array.of(8, 7, 18, 5, 10, 1, 97, 16, 5, 18, 6, 10, 1, 98, 16, 172, 2),
  Uint8Array.of(8, 8),
  Uint8Array.of(8, 9, 18, 3, 10, 1, 99),
];

/** Writes records as the only file of a split. */
export async function writeSplit(uri: string, split: string, records: readonly Uint8Array[]): Promise<void> {
  const folder = path.join(uri, `Split-${split}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "data_tfrecord-00000-of-00001"), await encodeTfRecords(records));
}
