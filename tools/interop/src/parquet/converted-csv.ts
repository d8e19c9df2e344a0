import { writeFile } from "node:fs/promises";
import path from "node:path";
import { openTfxio, writeTfxio } from "@tfxio/io";
import { assertSame } from "../assert-same.js";
import type { InteropContext } from "../interop.js";
import { runPython } from "../python.js";

const CSV = "id,name,tags\n1,Ada,a|b\n,Grace,\n3,,c\n";

/** The columns of {@link CSV} in the form that `python/parquet_rows.py` prints. The multivalent column has lists. */
const COLUMNS = [
  ["1", null, "3"],
  [bytesOf("Ada"), bytesOf("Grace"), null],
  [[bytesOf("a"), bytesOf("b")], null, [bytesOf("c")]],
];

/** Converts a CSV file to Parquet as `tfxio convert` does. Checks that pyarrow reads flat columns from the Parquet file. */
export async function checkConvertedCsv(
  python: string,
  folder: string,
  { report }: InteropContext,
): Promise<void> {
  const [source, target] = [path.join(folder, "people.csv"), path.join(folder, "people.parquet")];
  await writeFile(source, CSV);
  const formatOptions = { multivalentColumns: ["tags"], secondaryDelimiter: "|" };
  const tfxio = await openTfxio(source, { columnForm: "stored", formatOptions });
  await writeTfxio(tfxio, target);
  const answers = (await runPython(python, "parquet_rows.py", [target])) as Readonly<Record<string, unknown>>;
  await report.check("pyarrow reads a converted CSV file as flat columns", () =>
    assertSame({ names: ["id", "name", "tags"], columns: COLUMNS }, answers[target]),
  );
}

function bytesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}
