// node javascript-child.js NAME: runs one JavaScript subject of `bench dataset` in a separate process. It first prints the
// subject's version. Then it answers each line of JSON on stdin, { pipeline, numRows, path, columns }, with { seconds, numRows }.
// A training loop keeps its compiled code, but forced garbage collection would discard it. So this process does not force garbage
// collection between passes, and each pass pays for the garbage of the previous pass.
import { createInterface } from "node:readline";
import { javascriptSubjects } from "./javascript-pipelines.js";
import type { PipelineInput, PipelineName } from "./pipeline-subject.js";

const [name] = process.argv.slice(2);
const subject = javascriptSubjects.find((each) => each.name === name);
if (subject === undefined) throw new Error(`unknown subject ${name}`);
answer(await subject.prepare());
for await (const line of createInterface({ input: process.stdin })) {
  const { pipeline, ...input } = JSON.parse(line) as PipelineInput & { readonly pipeline: PipelineName };
  answer(await subject.run(pipeline, input));
}

function answer(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
