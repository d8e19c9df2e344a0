import { create } from "@bufbuild/protobuf";
import { BytesColumn } from "@tfxio/arrow-encoding";
import {
  calculate,
  type Expression,
  expandWildcards,
  fromPrensor,
  fromStructuredTensor,
  Path,
  prensorOf,
  protoPlaceholder,
  type Step,
  typeNameOfStep,
} from "@tfxio/struct2tensor";
import { type Feature, FeatureSchema, FeatureType, LifecycleStage, SchemaSchema } from "@tfxio/schema";
import type { HostStructured, HostStructuredField } from "@tfxio/tensor-adapter";
import { isTfxioError } from "@tfxio/wire";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { NotBuiltYet, type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { messageTypeOf } from "./expression-case.js";
import type { NodeJson } from "./node-json.js";
import { prensorNotation, sparseNotation } from "./value-notation.js";

/** A case that calls one function, and the result or error to expect. */
interface FunctionCase {
  readonly function: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect: { readonly result?: unknown; readonly error?: { readonly code: string } };
}

/** The arguments of all functions, by name. A case has only the arguments of its function. */
interface FunctionArgs {
  readonly text: string;
  readonly n: number;
  readonly a: never;
  readonly b: never;
  readonly step: string;
  readonly schema: string;
  readonly message: string;
  readonly paths: readonly (readonly Step[])[];
  readonly parentIndex: readonly number[];
  readonly values: readonly string[];
  readonly denseShape: readonly number[];
  readonly feature: FeatureJson;
  readonly parent: FeatureJson | null;
  readonly shape: readonly number[];
  readonly fields: Readonly<Record<string, unknown>>;
}

type Run = (args: FunctionArgs, vector: VectorCase, expected: unknown) => unknown;

const functions: Readonly<Record<string, Run>> = {
  parsePath: ({ text }) => Path.parse(text).steps,
  comparePaths: ({ a, b }) => Path.compare(pathOf(a), pathOf(b)),
  pathPrefix: ({ text, n }) => Path.parse(text).prefix(n).steps,
  pathSuffix: ({ text, n }) => Path.parse(text).suffix(n).steps,
  leastCommonAncestor: ({ a, b }) => Path.parse(a).commonAncestor(Path.parse(b)).steps,
  anyStepTypeName: ({ step }) => typeNameOfStep(step) ?? null,
  expandWildcards: ({ schema, message, paths }, vector) =>
    expandWildcards(protoPlaceholder(messageTypeOf(vector, { schema, message })), paths).map(
      ({ steps }) => steps,
    ),
  equiJoinIndices: join,
  equiJoinAnyIndices: join,
  runLengthBefore: async ({ a }) => {
    const expression = fromPrensor(leafPrensor(a, [])).positionalIndex("b", "i");
    return Array.from((await calculate(expression)).leaf("i").values as BigInt64Array, Number);
  },
  sparseFromRepeated: async ({ parentIndex, values, denseShape }, _, expected) => {
    const prensor = leafPrensor(parentIndex, values, denseShape[0]);
    const {
      indices,
      values: found,
      denseShape: shape,
    } = sparseNotation(prensor.sparse("b"), expected as never);
    return { indices, values: found, denseShape: shape };
  },
  promoteSchemaFeature: ({ feature, parent }) => promotedFeature(feature, parent),
  structuredTensorToPrensor: ({ shape, fields }, _, expected) =>
    prensorNotation(
      fromStructuredTensor(structuredOf(shape, fields)),
      expected as Readonly<Record<string, NodeJson>>,
    ),
};

/** Runs a case that names a function of struct2tensor, and computes the result with our public API. */
export async function runFunctionVector(vector: VectorCase): Promise<Outcome> {
  const { function: name, args, expect } = vector.body as unknown as FunctionCase;
  const run = functions[name];
  if (run === undefined) throw new NotBuiltYet(`the function ${name}`);
  try {
    const found: unknown = await run(args as never, vector, expect.result);
    if (expect.error !== undefined)
      return { status: "failed", detail: `expected error ${expect.error.code}, got a result` };
    return outcomeOf(differenceOf(expect.result, found));
  } catch (error) {
    if (!isTfxioError(error) || expect.error === undefined) throw error;
    const { code, reason } = error;
    return outcomeOf(
      differenceOf(expect.error.code, categoryOf("struct2tensor", { code, ...(reason && { reason }) })),
    );
  }
}

function pathOf(steps: readonly Step[] | string): Path {
  return typeof steps === "string" ? Path.parse(steps) : Path.of(steps);
}

/** Returns a prensor with one repeated string leaf `b` under the root. */
function leafPrensor(
  parents: readonly number[],
  texts: readonly string[],
  size = Math.max(0, ...parents) + 1,
): ReturnType<typeof prensorOf> {
  const values = BytesColumn.from(parents.map((_, index) => new TextEncoder().encode(texts[index] ?? "")));
  return prensorOf({
    "": { kind: "root", size },
    b: { kind: "leaf", isRepeated: true, parentIndex: Int32Array.from(parents), dtype: "string", values },
  });
}

/**
 * Uses a broadcast to compute the index pairs of an equi-join of `a` and `b`. The parent of a copied value is the index in `a`,
 * and the value itself is the index in `b`.
 */
async function join({
  a,
  b,
}: {
  readonly a: readonly number[];
  readonly b: readonly number[];
}): Promise<object> {
  const values = BigInt64Array.from(b, (_, index) => BigInt(index));
  const expression: Expression = fromPrensor(
    prensorOf({
      "": { kind: "root", size: Math.max(...a, ...b) + 1 },
      a: { kind: "child", isRepeated: true, parentIndex: Int32Array.from(a) },
      b: { kind: "leaf", isRepeated: true, parentIndex: Int32Array.from(b), dtype: "int64", values },
    }),
  );
  const { parentIndex, values: origin } = (await calculate(expression.broadcast("b", "a", "x"))).leaf("a.x");
  return { indexA: [...parentIndex], indexB: Array.from(origin as BigInt64Array, Number) };
}

interface FeatureJson {
  readonly domain?: string;
  readonly valueCount?: { readonly min: number; readonly max: number };
  readonly minFraction?: number;
  readonly minCount?: number;
  readonly lifecycleStage?: keyof typeof LifecycleStage;
  readonly minDomainMass?: number;
}

/** Returns the feature of a field promoted out of `parent`, or null if `parent` is null or the promoted field has no feature. */
function promotedFeature(feature: FeatureJson, parent: FeatureJson | null): FeatureJson | null {
  const leaf = {
    kind: "leaf",
    isRepeated: true,
    parentIndex: new Int32Array(0),
    dtype: "int32",
    values: new Int32Array(0),
  } as const;
  const child = { kind: "child", isRepeated: true, parentIndex: new Int32Array(0) } as const;
  const expression = fromPrensor(prensorOf({ "": { kind: "root", size: 0 }, p: child, "p.f": leaf }));
  if (parent === null) return null;
  const nested = featureFromJson("f", feature);
  const around = { ...featureFromJson("p", parent), type: FeatureType.STRUCT };
  const struct = create(FeatureSchema, {
    ...around,
    domainInfo: { case: "structDomain", value: { feature: [nested] } },
  } as never);
  const schema = create(SchemaSchema, { feature: [struct] });
  const promoted = expression.applySchema(schema).promote("p.f", "x").featureOf("x");
  return promoted === undefined ? null : featureToJson(promoted);
}

/** Creates a feature from the notation of the test vectors. */
function featureFromJson(name: string, json: FeatureJson): Feature {
  const { domain, valueCount, minFraction = 0, minCount = 0, lifecycleStage, minDomainMass } = json;
  return create(FeatureSchema, {
    name,
    ...(domain !== undefined && { domainInfo: { case: "domain", value: domain } }),
    ...(valueCount && {
      shapeType: { case: "valueCount", value: { min: BigInt(valueCount.min), max: BigInt(valueCount.max) } },
    }),
    presenceConstraints: { case: "presence", value: { minFraction, minCount: BigInt(minCount) } },
    ...(lifecycleStage && { lifecycleStage: LifecycleStage[lifecycleStage] }),
    ...(minDomainMass !== undefined && { distributionConstraints: { minDomainMass } }),
  } as never);
}

/** Converts a feature to the notation of the test vectors. */
function featureToJson({
  domainInfo,
  shapeType,
  presenceConstraints,
  lifecycleStage,
  distributionConstraints,
}: Feature): FeatureJson {
  const presence = presenceConstraints.case === "presence" ? presenceConstraints.value : undefined;
  return {
    lifecycleStage: LifecycleStage[lifecycleStage] as keyof typeof LifecycleStage,
    ...(domainInfo.case === "domain" && { domain: domainInfo.value }),
    ...(distributionConstraints && { minDomainMass: distributionConstraints.minDomainMass }),
    ...(shapeType.case === "valueCount" && {
      valueCount: { min: Number(shapeType.value.min), max: Number(shapeType.value.max) },
    }),
    ...(presence && { minFraction: presence.minFraction, minCount: Number(presence.minCount) }),
  };
}

/** Builds a structured tensor from nested lists. */
function structuredOf(shape: readonly number[], fields: Readonly<Record<string, unknown>>): HostStructured {
  const numRows = shape[0] ?? 1;
  const entries = Object.entries(fields).map(([name, value]): [string, HostStructuredField] => {
    const rows = shape.length === 0 ? [value] : (value as readonly unknown[]);
    const nestedRowSplits: Int32Array[] = [];
    let level: readonly unknown[] = rows;
    while (Array.isArray(level[0])) {
      const lists = level as readonly (readonly unknown[])[];
      let end = 0;
      nestedRowSplits.push(Int32Array.from([0, ...lists.map(({ length }) => (end += length))]));
      level = lists.flat();
    }
    const values = Int32Array.from(level as readonly number[]);
    const common = { dtype: "int32", values, borrowed: false } as const;
    return [
      name,
      nestedRowSplits.length === 0
        ? { kind: "dense", shape: [numRows], ...common }
        : { kind: "ragged", nestedRowSplits, innerShape: [], rowSplitsDtype: "int64", ...common },
    ];
  });
  return {
    kind: "structured",
    numRows,
    nestedRowSplits: [],
    fields: Object.fromEntries(entries),
    rowSplitsDtype: "int64",
  };
}
