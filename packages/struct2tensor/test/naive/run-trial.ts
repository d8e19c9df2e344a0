import { createMessageEncoder, type MessageType, parseProto } from "@tfxio/formats-protobuf";
import {
  createQueryPlan,
  type Expression,
  fromPrensor,
  fromProto,
  fromRecordBatch,
  toRecordBatch,
} from "@tfxio/struct2tensor";
import { isTfxioError, Random } from "@tfxio/wire";
import { applyStep } from "./apply-step.js";
import { type Batch, countRows, flatten, flattenPrensor, rowsOf, type Shape, toPrensor } from "./data.js";
import { interpret, ShapeMismatch, type Step } from "./interpreter.js";
import { allFields, pick, randomBatch, randomShape, randomStep } from "./random-query.js";

const MAX_STEPS = 5;
/** A step is skipped if it would produce a batch with more elements than this. */
const MAX_ELEMENTS = 2_000;

/** The kind of source from which a trial reads its data. */
export type SourceKind = "prensor" | "batch" | "protobuf";

/** A random query, and how the package's results compare with those of the interpreter. */
export interface Trial {
  readonly steps: readonly Step[];
  /** Describes how the results differ. Undefined if they are equal. */
  readonly difference: string | undefined;
  readonly numFields: number;
}

/** Shapes and their message types, created only once because parsing a type takes longer than running a query. */
export interface Schemas {
  readonly shapes: readonly { readonly shape: Shape; readonly type: MessageType }[];
}

export async function randomSchemas(seed: number, numSchemas: number): Promise<Schemas> {
  const shapes = [];
  for (let index = 0; index < numSchemas; index++) {
    const shape = randomShape(Random.of(seed, index));
    shapes.push({ shape, type: await parseProto(protoText(shape), "fuzz.M") });
  }
  return { shapes };
}

function protoText(shape: Shape): string {
  const protoTypes: Readonly<Record<string, string>> = { float64: "double", string: "bytes" };
  const message = (name: string, { fields }: Shape): string => {
    const lines = [...fields].map(([field, below], index) => {
      const label = below.isRepeated ? "repeated" : "optional";
      const { dtype } = below;
      const type = dtype === undefined ? `M_${field}` : (protoTypes[dtype] ?? dtype);
      const nested = dtype === undefined ? message(`M_${field}`, below) : "";
      return `${nested} ${label} ${type} ${field} = ${index + 1};`;
    });
    return `message ${name} { ${lines.join("\n")} }`;
  };
  return `syntax = "proto2"; package fuzz; ${message("M", shape)}`;
}

/** Draws data and a query, runs the query with the package and the interpreter, and compares some fields of the results. */
export async function runTrial(random: Random, { shapes }: Schemas): Promise<Trial> {
  const { shape, type } = pick(random, shapes);
  const kind = pick(random, ["prensor", "batch", "protobuf"] as const);
  let batch = randomBatch(random, kind === "batch" ? allRepeated(shape) : shape);
  let expression = await sourceOf(kind, batch, type);
  const steps: Step[] = [];
  for (let number = 0; number < 1 + random.below(MAX_STEPS); number++) {
    // A transform parses the messages again, without the fields that earlier steps added. So only the first step can be a
    // transform.
    const mayTransform = kind === "protobuf" && steps.length === 0;
    const step =
      (mayTransform ? transform(random, batch.shape, `q${number}`) : undefined) ??
      randomStep(random, batch.shape, `q${number}`);
    if (step === undefined) continue;
    try {
      const after = interpret(batch, step);
      if (sizeOf(after) > MAX_ELEMENTS) continue;
      batch = after;
    } catch (error) {
      if (!(error instanceof ShapeMismatch)) throw error;
      steps.push(step);
      return { steps, difference: await differenceOfMismatch(applyStep(expression, step)), numFields: 0 };
    }
    steps.push(step);
    expression = applyStep(expression, step);
  }
  const outputs = allFields(batch.shape).filter(() => random.below(3) > 0);
  const project: Step = { op: "project", paths: outputs.map(({ path }) => path) };
  steps.push(project);
  const plan = await createQueryPlan([applyStep(expression, project)]);
  const prensor = plan.calculate().prensors[0]!;
  const wanted = flatten(interpret(batch, project));
  const difference =
    differenceOf(wanted, flattenPrensor(prensor)) ?? differenceOf(countRows(wanted), rowsOf(prensor));
  return { steps, difference, numFields: outputs.length };
}

/** Sometimes returns a step that selects the first message of each parent before the messages are parsed. */
function transform(random: Random, shape: Shape, as: string): Step | undefined {
  if (random.below(3) > 0) return undefined;
  const messages = allFields(shape).filter(({ shape: { dtype } }) => dtype === undefined);
  return messages.length === 0 ? undefined : { op: "first", path: pick(random, messages).path, as };
}

async function sourceOf(kind: SourceKind, batch: Batch, type: MessageType): Promise<Expression> {
  const prensor = toPrensor(batch);
  if (kind === "prensor") return fromPrensor(prensor);
  const recordBatch = toRecordBatch(prensor);
  if (kind === "batch") return fromRecordBatch(recordBatch);
  const encoder = await createMessageEncoder(type);
  return fromProto([...encoder.encode(recordBatch)], type);
}

function allRepeated({ fields, ...shape }: Shape): Shape {
  return {
    ...shape,
    isRepeated: true,
    fields: new Map([...fields].map(([name, field]) => [name, allRepeated(field)])),
  };
}

function sizeOf(batch: Batch): number {
  return Object.values(flatten(batch)).reduce((size, { parentIndex = [] }) => size + parentIndex.length, 0);
}

async function differenceOfMismatch(expression: Expression): Promise<string | undefined> {
  const plan = await createQueryPlan([expression]);
  try {
    plan.calculate();
  } catch (error) {
    if (isTfxioError(error, "shape-mismatch")) return undefined;
    throw error;
  }
  return "expected a shape-mismatch error, got a result";
}

function differenceOf(wanted: object, found: object): string | undefined {
  const text = (value: object): string =>
    JSON.stringify(sorted(value), (_, item: unknown) =>
      typeof item === "bigint" ? `${item}n` : Object.is(item, -0) ? "-0" : item,
    );
  const [a, b] = [text(wanted), text(found)];
  return a === b ? undefined : `wanted ${a}\nfound  ${b}`;
}

function sorted(value: object): object {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, node]) => [path, Object.entries(node as object).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
