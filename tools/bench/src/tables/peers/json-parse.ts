import { createReadStream } from "node:fs";
import { flatColumns } from "../flat-table.js";
import { inProcessTable } from "../in-process.js";
import type { TableSubject } from "../table-subject.js";
import { builderRows, type CreateAssembler, typedRows } from "./assemble-rows.js";

// Size of a read from the file: 1 MiB.
const chunkBytes = 1 << 20;

/** Subjects that call `JSON.parse` for each line. One fills typed arrays, and the other fills arrow-js builders. */
export const jsonParse: readonly TableSubject[] = [
  subject("JSON.parse", typedRows),
  subject("JSON.parse:builders", builderRows),
];

function subject(name: string, createAssembler: CreateAssembler): TableSubject {
  return inProcessTable({
    name,
    reads: "sample",
    read: async (file, sink) => {
      const rows = createAssembler(flatColumns, sink);
      await eachLine(file.path, (line) => {
        const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
        rows.append(flatColumns.map((column) => row[column.name]));
      });
      rows.finish();
    },
  });
}

/** Calls `visit` with each line. An async generator would be slower, because it creates a promise for each line. */
async function eachLine(path: string, visit: (line: string) => void): Promise<void> {
  const stream = createReadStream(path, { encoding: "utf8", highWaterMark: chunkBytes });
  let rest = "";
  for await (const chunk of stream as AsyncIterable<string>) {
    const text = rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      visit(text.slice(start, end));
      start = end + 1;
    }
    rest = text.slice(start);
  }
  if (rest !== "") visit(rest);
}
