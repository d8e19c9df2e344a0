import { existsSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import type { SetFile } from "../sets/generate.js";

/** Number of bytes that frame a payload: 8 for the length, 4 for its CRC, and 4 for the CRC of the payload. */
const frameBytes = 16;

/**
 * Splits `file` at record boundaries into `numShards` files of about equal size. Resolves to their paths. The files stay in the
 * folder of `file`, and later runs reuse them.
 */
export async function shardFile(file: SetFile, numShards: number): Promise<readonly string[]> {
  const paths = Array.from(
    { length: numShards },
    (_, index) => `${file.path}-${index + 1}-of-${numShards}.tfrecord`,
  );
  if (paths.every((path) => existsSync(path))) return paths;
  const bytes = await readFile(file.path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = 0;
  for (const [index, path] of paths.entries()) {
    let end = start;
    const target = (bytes.length * (index + 1)) / numShards;
    while (end < target) end += Number(view.getBigUint64(end, true)) + frameBytes;
    await writeWhole(path, bytes.subarray(start, end));
    start = end;
  }
  return paths;
}

/** Writes a temporary file and renames it, so that an interrupted run leaves no incomplete file at `path`. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const target = await open(temporary, "w");
  try {
    await target.writeFile(bytes);
  } finally {
    await target.close();
  }
  await rename(temporary, path);
}
