// One JavaScript subject of `bench dataset`, by name, in a separate process. It first prints its version. Then each
// line of JSON on stdin, { pipeline, numRows, path }, is answered with { seconds, numRows }. No garbage is collected
// between passes. A pass pays for the garbage of the previous one, and a collection that a program forces throws
// away compiled code, which a training loop never does.
import { createInterface } from "node:readline";
import { javascriptSubjects } from "./javascript-pipelines.js";
import type { PipelineInput, PipelineName } from "./pipeline-subject.js";

const [name] = process.argv.slice(2);
const subject = javascriptSubjects.find((each) => each.name === name);
if (subject === undefined) throw new Error(`there is no subject ${name}`);
answer(await subject.prepare());
for await (const line of createInterface({ input: process.stdin })) {
  const { pipeline, ...input } = JSON.parse(line) as PipelineInput & { readonly pipeline: PipelineName };
  answer(await subject.run(pipeline, input));
}

function answer(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
