import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { formatSchemaText, parseSchemaText, type Schema } from "@tfxio/schema";
import { fileSource, isTfxioError } from "@tfxio/wire";
import { parseArguments, type QuickstartArguments, USAGE, UsageError } from "./arguments.js";
import { setWasmBackend } from "./backend.js";
import { describeColumns, describeReading, describeRows } from "./describe.js";
import { plotLosses } from "./loss-curve.js";
import { chooseInputs } from "./model-inputs.js";
import { writePenguins } from "./penguins.js";
import { taskFor } from "./task.js";
import { type DataSummary, readAll } from "./read-all.js";
import { allRows, createModel, evaluate, train } from "./train.js";

const print = (text = ""): void => void process.stdout.write(`${text}\n`);
/** Number of progress reports. Every tenth is printed if stderr is not a terminal. A terminal shows all of them on one line. */
let numReports = 0;
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
  else if (numReports++ % 10 === 0) process.stderr.write(`${text}\n`);
};
/** Clears the line of progress reports before results are printed. */
const endProgress = (): void => {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  numReports = 0;
};

/** The share of rows that is used for evaluation instead of training if there are no separate test files. */
const HELD_OUT = 0.2;

/** Resolves a path against the folder in which the user called the command. The root script passes that folder in a variable. */
const fromCaller = (file: string): string => path.resolve(process.env["TFXIO_INVOKED_FROM"] ?? ".", file);

async function main(args: QuickstartArguments): Promise<void> {
  if (args.data !== undefined) {
    await run(args, fromCaller(args.data), undefined);
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-quickstart-"));
  try {
    const { train: trainFiles, test: testFiles, numTrain, numTest } = await writePenguins(folder);
    print(
      `Wrote gzip TFRecords of tf.Examples: ${numTrain} penguins to train on, and ${numTest} to test on.`,
    );
    await run({ ...args, label: "species" }, trainFiles, testFiles);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readSchema(file: string): Promise<Schema> {
  const source = await fileSource(file);
  return parseSchemaText(new TextDecoder().decode(await source.slice(0, source.byteLength ?? 0)));
}

async function run(args: QuickstartArguments, files: string, testFiles: string | undefined): Promise<void> {
  const schema = args.schema === undefined ? undefined : await readSchema(fromCaller(args.schema));
  if (schema === undefined) progress("inferring a schema …");
  const tfxio = await openTfxio(files, schema === undefined ? { inferSchema: "full" } : { schema });
  try {
    print(`\n${schema === undefined ? "Inferred schema" : "Schema"}:\n\n${formatSchemaText(tfxio.schema())}`);
    progress("reading …");
    const summary = await readAll(tfxio, ({ numRows }) => progress(`  ${numRows} records`));
    endProgress();
    print(`Read ${describeReading(summary)}\n\n${describeColumns(summary)}`);
    if (summary.firstPage) print(`\nFirst rows:\n\n${describeRows(summary.firstPage)}`);
    if (args.label !== undefined) await trainOn(tfxio.schema(), summary, args, args.label, files, testFiles);
  } finally {
    await tfxio.close();
  }
}

async function trainOn(
  schema: Schema,
  summary: DataSummary,
  args: QuickstartArguments,
  label: string,
  files: string,
  testFiles: string | undefined,
): Promise<void> {
  const inputs = chooseInputs(schema, summary, label);
  const task = taskFor(label, inputs, summary);
  print(`\nInputs of the model: ${task.inputs.join(", ")}`);
  for (const { name, reason } of inputs.unused) print(`Not used: ${name} (${reason})`);

  await setWasmBackend();
  const open = async (sources: string): Promise<Tfxio> =>
    (await openTfxio(sources, { schema: inputs.schema })).project([...task.inputs, label]);
  const tfxio = await open(files);
  const test = testFiles === undefined ? undefined : await open(testFiles);
  try {
    const parts = tfxio.split({ validation: HELD_OUT });
    const trainRows = allRows(test === undefined ? parts.train : tfxio, task);
    const testRows = allRows(test ?? parts.validation, task);
    const model = createModel(tfxio, task);
    const started = performance.now();
    const losses = await train(model, trainRows, args.epochs, (epoch, loss) =>
      progress(`  epoch ${epoch + 1} of ${args.epochs}, loss ${loss.toFixed(4)}`),
    );
    const seconds = (performance.now() - started) / 1000;
    endProgress();
    const epochs = `${args.epochs} ${args.epochs === 1 ? "epoch" : "epochs"}`;
    print(`\nTrained ${epochs} in ${seconds.toFixed(1)} s. Loss by epoch:\n\n${plotLosses(losses)}\n`);
    print(`accuracy ${(await evaluate(model, testRows)).toFixed(2)}`);
  } finally {
    await Promise.all([tfxio.close(), test?.close()]);
  }
}

try {
  const args = parseArguments(process.argv.slice(2));
  if (args === null) print(USAGE);
  else await main(args);
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  else if (isTfxioError(error)) process.stderr.write(`${error.message}\n`);
  else throw error;
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
