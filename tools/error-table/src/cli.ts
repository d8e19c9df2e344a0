// node dist/cli.js [FILE]: writes the table of all error messages to FILE. Without FILE, prints the table.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { errorSites } from "./sites.js";
import { readSources } from "./sources.js";
import { messageTable } from "./table.js";

const root = path.join(import.meta.dirname, "..", "..", "..");
const table = messageTable(errorSites(readSources(root)));
const [, , file] = process.argv;
if (file === undefined) process.stdout.write(table);
else writeFileSync(file, table);
