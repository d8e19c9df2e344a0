import { applyStep, type QueryStep } from "@tfxio-tools/conformance/struct2tensor/apply-step";
import type { MessageType } from "@tfxio/formats-protobuf";
import { type Expression, fromProto } from "@tfxio/struct2tensor";
import { isTfxioError, Random } from "@tfxio/wire";
import { randomStep } from "./random-query.js";
import { keysOf, randomRecord } from "./random-record.js";
import { type MessageShape, pick, randomType, type ScalarType } from "./random-type.js";
import { messageTypeOf } from "./type-descriptor.js";

const MAX_RECORDS = 6;
const MAX_STEPS = 5;
const MAX_PATHS = 16;

/** A query over serialized messages, to run with our code and with struct2tensor. */
export interface QueryCase {
  readonly type: MessageType;
  readonly records: readonly Uint8Array[];
  readonly query: readonly QueryStep[];
  /** Paths of the fields to compare. */
  readonly paths: readonly string[];
}

/** A message type, and the paths of the fields that an expression has only if a query names them. */
export interface RandomSchema {
  readonly shape: MessageShape;
  readonly type: MessageType;
  readonly asked: readonly string[];
}

/** Creates random message types. Equal seeds produce equal types. */
export function randomSchemas(seed: number, count: number): readonly RandomSchema[] {
  return Array.from({ length: count }, (_, index) => {
    const shape = randomType(Random.of(seed, index));
    return { shape, type: messageTypeOf(shape), asked: askedPaths(shape, []) };
  });
}

/** Returns the paths of fields that `knownPaths` does not list: map values, extensions, and the contents of an Any. */
function askedPaths({ fields, kind }: MessageShape, above: readonly string[]): readonly string[] {
  if (kind === "any") {
    return ["(fuzz.Held)", "(fuzz.Held).label", "(fuzz.Held).n"].map((step) => [...above, step].join("."));
  }
  return fields.flatMap(({ name, type, isExtension }) => {
    const inside = (step: string, shape: MessageShape["fields"][number]["type"]): readonly string[] => [
      ...(step === name ? [] : [[...above, step].join(".")]),
      ...(typeof shape === "string" ? [] : askedPaths(shape, [...above, step])),
    ];
    if (isExtension) {
      const step = `(fuzz.${name})`;
      const leaves = typeof type === "string" ? [] : type.fields.map((field) => `${step}.${field.name}`);
      return [step, ...leaves];
    }
    if (typeof type === "string" || type.kind !== "mapEntry") return inside(name, type);
    const [key, value] = type.fields;
    return keysOf(key!.type as ScalarType)
      .slice(0, 2)
      .flatMap((text) => inside(`${name}[${text}]`, value!.type));
  });
}

/** Draws a case step by step, because the fields of an expression determine which operators are possible next. */
export function randomCase(random: Random, schemas: readonly RandomSchema[]): QueryCase {
  const { shape, type, asked } = pick(random, schemas);
  const records = Array.from({ length: random.below(MAX_RECORDS) }, () => randomRecord(random, shape));
  const query: QueryStep[] = [];
  let expression = fromProto(records, type);
  for (let number = 0; number < 1 + random.below(MAX_STEPS); number++) {
    const as = `q${number}`;
    const step = randomStep(random, expression, { asked, as, isFirst: query.length === 0 });
    const after = step && applied(expression, step);
    if (step === undefined || after === undefined) continue;
    query.push(step);
    expression = after;
  }
  return { type, records, query, paths: pathsOf(random, expression, asked) };
}

/** Returns the expression after a step, or undefined if our code rejects the step. A root field, say, cannot be promoted. */
function applied(expression: Expression, step: QueryStep): Expression | undefined {
  try {
    return applyStep(expression, step);
  } catch (error) {
    if (isTfxioError(error)) return undefined;
    throw error;
  }
}

/** Returns the paths to compare: the root, fields that operators added, and some other fields, up to MAX_PATHS of each kind. */
function pathsOf(random: Random, expression: Expression, asked: readonly string[]): readonly string[] {
  const known = expression.knownPaths().map(({ path }) => `${path}`);
  const made = known.filter((path) => /(?:^|\.)q\d/u.test(path));
  const others = [...known, ...asked.filter((path) => expression.has(path))].filter(
    (path) => !made.includes(path) && random.below(4) === 0,
  );
  return [...new Set(["", ...made.slice(0, MAX_PATHS), ...others.slice(0, MAX_PATHS)])];
}
