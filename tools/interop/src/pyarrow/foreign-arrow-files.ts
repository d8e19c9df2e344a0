import path from "node:path";
import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import { arrow } from "@tfxio/formats-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import { type ForeignFile, readBatches, writeBatches } from "./foreign-files.js";

/** The types and rows that pyarrow reads from an Arrow file, or the error if pyarrow rejects it. */
interface ReadByPyarrow {
  readonly types?: Readonly<Record<string, string>>;
  readonly rows?: readonly PlainRow[];
  readonly error?: string;
}

const layouts = (["file", "stream"] as const).flatMap((container) =>
  (["none", "lz4", "zstd"] as const).map((compression) => ({ container, compression })),
);

/** Checks that we read the Arrow files of other writers, and that pyarrow reads the copies that we write in every layout. */
export async function checkForeignArrowFiles(
  written: readonly ForeignFile[],
  python: string,
  folder: string,
  { check }: Reporter,
): Promise<void> {
  for (const { file, writer, rows } of written) {
    const theirs = path.join(folder, file);
    await check(`we read ${file} as ${writer} wrote it`, async () => {
      const batches = await readBatches(arrow, theirs);
      assertSame(rows, batches.flatMap(plainRows));
    });
    await check(`pyarrow validates and reads our copies of ${file} in every layout`, async () => {
      const batches = await readBatches(arrow, theirs);
      const ours = layouts.map(({ container, compression }) => `${theirs}.${container}-${compression}.ours`);
      for (const [index, layout] of layouts.entries()) {
        await writeBatches(arrow, ours[index] as string, batches, layout);
      }
      const answers = (await runPython(python, "table_compare.py", [
        theirs,
        ...ours,
      ])) as readonly ReadByPyarrow[];
      const [expected, ...found] = answers as [ReadByPyarrow, ...ReadByPyarrow[]];
      for (const answer of found) assertSame({ ...expected, types: withoutViews(expected.types) }, answer);
    });
  }
}

/** Replaces view types with their plain types, because we write the values of views in plain types. */
function withoutViews(types: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, type.replaceAll("_view", "")]),
  );
}
