import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { arrow, type ArrowOptions } from "@tfxio/formats-arrow";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import { runPython } from "../python.js";

const SCRIPT = "arrow_files.py";

type WriteOptions = Pick<ArrowOptions, "container" | "compression">;

/** The option sets for rewriting each file. Batches of 13 rows are slices of the 17-row batches that pyarrow wrote. */
const variants: readonly (WriteOptions & { readonly batchSize: number })[] = [
  { container: "file", compression: "none", batchSize: 13 },
  { container: "file", compression: "lz4", batchSize: 1000 },
  { container: "stream", compression: "zstd", batchSize: 13 },
  { container: "stream", compression: "none", batchSize: 17 },
];

/**
 * Checks a round trip of Arrow files. pyarrow writes columns of many types, and our format reads and rewrites the files. Then
 * pyarrow fully validates the results and compares them with the originals.
 */
export async function compareArrowFiles(python: string, folder: string): Promise<void> {
  const ours = path.join(folder, "ours");
  await mkdir(ours, { recursive: true });
  await runPython(python, SCRIPT, ["write", folder]);
  for (const name of await readdir(folder)) {
    if (!/\.arrows?$/.test(name)) continue;
    const bytes = new Uint8Array(await readFile(path.join(folder, name)));
    for (const { batchSize, ...options } of variants) {
      const written = await rewritten(bytes, options, batchSize);
      await writeFile(path.join(ours, `${name}-${options.container}-${options.compression}`), written);
    }
  }
  assertSame([], await runPython(python, SCRIPT, ["check", folder]));
}

/** Reads a file with our reader and writes it with our writer, in batches of up to `batchSize` rows. */
async function rewritten(bytes: Uint8Array, options: WriteOptions, batchSize: number): Promise<Uint8Array> {
  const reader = await arrow.open([bytesSource(bytes, "theirs")]);
  const plan = await reader.plan({ batchSize });
  const [split] = plan.splits;
  if (split === undefined || plan.arrowSchema === undefined)
    throw new Error("pyarrow's file must have a split and a schema");
  const target = memoryTarget("ours");
  const writer = await arrow.createWriter(target, { arrowSchema: plan.arrowSchema, options });
  for await (const batch of plan.read(split)) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}
