// node javascript-child.js NAME: runs one JavaScript subject of `bench dataset` in a separate process. It first prints the
// subject's version. Then it answers each line of JSON on stdin, { pipeline, numRows, path, columns }, with { seconds, numRows }.
// It does not force garbage collection between passes, because that would discard compiled code, which never happens in a
// training loop. So each pass pays for the garbage of the previous pass.
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
