import { readFile } from "node:fs/promises";
import { parse as csvParse } from "csv-parse/sync";
import { csvParseRows } from "d3-dsv";
import papaparse from "papaparse";
import { flatColumns } from "../flat-table.js";
import { inProcessTable } from "../in-process.js";
import type { TableSubject } from "../table-subject.js";
import { builderRows, type CreateAssembler, typedRows } from "./assemble-rows.js";

/** A function that parses the text of a whole file into records. The first record is the header. */
type ParseText = (text: string) => readonly (readonly string[])[];

const parsers: Readonly<Record<string, ParseText>> = {
  papaparse: (text) => papaparse.parse<string[]>(text, { skipEmptyLines: true }).data,
  "csv-parse": (text) => csvParse(text),
  "d3-dsv": (text) => csvParseRows(text),
};

const routes: Readonly<Record<string, CreateAssembler>> = { "": typedRows, ":builders": builderRows };

/** Subjects that read a file with a CSV package from npm. Each package runs once with typed arrays, and once with builders. */
export const csvPackages: readonly TableSubject[] = Object.entries(parsers).flatMap(([name, parse]) =>
  Object.entries(routes).map(([route, createAssembler]) =>
    inProcessTable({
      name: `${name}${route}`,
      reads: "sample",
      read: async (file, sink) => {
        const records = parse(await readFile(file.path, "utf8"));
        const rows = createAssembler(flatColumns, sink);
        for (let record = 1; record < records.length; record++) rows.append(records[record] as string[]);
        rows.finish();
      },
    }),
  ),
);
