// node dist/cli.js [ROOT]: prints one line per violation of the rules, and exits with 1 if there are violations.
import path from "node:path";
import { checkGraph } from "./check.js";

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, "..", "..", ".."));
const violations = checkGraph(root);
for (const violation of violations) console.error(violation);
const { length } = violations;
console.error(`graph: ${length === 0 ? "no" : length} ${length === 1 ? "violation" : "violations"}`);
process.exitCode = length === 0 ? 0 : 1;
