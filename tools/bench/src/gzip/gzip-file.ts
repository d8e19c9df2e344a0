import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { SetFile } from "../sets/generate.js";

/**
 * Compresses `file` into one gzip member at zlib's default level, and resolves to the path of the result. The result stays next
 * to `file`, and later runs reuse it.
 */
export async function gzipFile(file: SetFile): Promise<string> {
  const target = `${file.path}.gz`;
  if (existsSync(target)) return target;
  const temporary = `${target}.${process.pid}.tmp`;
  await pipeline(
    createReadStream(file.path),
    createGzip({ chunkSize: 1 << 20 }),
    createWriteStream(temporary),
  );
  await rename(temporary, target);
  return target;
}
