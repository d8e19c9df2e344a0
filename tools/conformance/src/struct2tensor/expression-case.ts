import {
  type Expression,
  fromPrensor,
  fromProto,
  type FromProtoOptions,
  type LeafNode,
  type Prensor,
  type PrensorNode,
  prensorOf,
} from "@tfxio/struct2tensor";
import type { MessageType } from "@tfxio/formats-protobuf";
import { BytesColumn } from "@tfxio/arrow-encoding";
import { type DType, numberArrays } from "@tfxio/tensor-adapter";
import { NotBuiltYet } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import type { QueryStep } from "./apply-step.js";
import { dtypeOf, type NodeJson, type SparseJson } from "./node-json.js";

/** A query over records or a prensor, and its expected result. */
export interface ExpressionCase {
  readonly input:
    | { readonly kind: "prensor"; readonly prensor: Readonly<Record<string, NodeJson>> }
    | {
        readonly kind: "protos";
        readonly schema: string;
        readonly message: string;
        readonly format: "binary" | "text";
        readonly records: readonly { readonly b64: string; readonly text?: string }[];
      };
  readonly options?: FromProtoOptions & Readonly<Record<string, unknown>>;
  readonly query?: readonly QueryStep[];
  readonly expect: {
    readonly nodes?: Readonly<Record<string, NodeJson>>;
    readonly ragged?: Readonly<Record<string, unknown>>;
    readonly sparse?: Readonly<Record<string, SparseJson>>;
    readonly knownFields?: Readonly<Record<string, readonly string[]>>;
    readonly absent?: readonly string[];
    readonly sourcePaths?: readonly string[];
    readonly error?: { readonly code: string; readonly phase?: string; readonly record?: number };
  };
}

/** Creates the expression over a case's input, without the steps of its query. */
export function expressionOf(vector: VectorCase): Expression {
  const { input, options = {} } = vector.body as unknown as ExpressionCase;
  if (input.kind === "prensor") return fromPrensor(prensorFromJson(input.prensor));
  if (input.kind !== "protos") throw new NotBuiltYet("expressions over input other than prensors and protos");
  const { records, format } = input;
  const given = records.map(({ b64, text = "" }) => (format === "text" ? text : bytesOf(b64)));
  const { mapDuplicates: _, mapMissingValue: __, ...rules } = options;
  return fromProto(given, messageTypeOf(vector, input), { ...rules, messageFormat: format });
}

/** Returns the type of a case's message, from `schemas.json` in the folder of the case's file. */
export function messageTypeOf(
  { readBeside }: VectorCase,
  { schema, message }: { readonly schema: string; readonly message: string },
): MessageType {
  if (readBeside === undefined)
    throw new Error("the case needs schemas.json, but the files in its folder cannot be read");
  const { schemas } = JSON.parse(readBeside("schemas.json")) as {
    readonly schemas: Readonly<Record<string, { readonly fileDescriptorSetB64: string }>>;
  };
  const descriptor = schemas[schema]?.fileDescriptorSetB64;
  if (descriptor === undefined) throw new Error(`schemas.json has no schema ${schema}`);
  return { descriptor, message };
}

/** Creates a prensor from the notation of the test vectors. */
function prensorFromJson(nodes: Readonly<Record<string, NodeJson>>): Prensor {
  return prensorOf(
    Object.fromEntries(Object.entries(nodes).map(([path, node]) => [path, nodeFromJson(node)])),
  );
}

function nodeFromJson({
  node,
  size = 0,
  parentIndex = [],
  repeated = false,
  dtype = "",
  values = [],
}: NodeJson): PrensorNode {
  if (node === "root") return { kind: "root", size };
  const common = { isRepeated: repeated, parentIndex: Int32Array.from(parentIndex) };
  if (node === "child") return { kind: "child", ...common };
  const type = dtypeOf(dtype);
  return { kind: "leaf", ...common, dtype: type, values: valuesFromJson(type, values) };
}

function valuesFromJson(dtype: DType, values: readonly unknown[]): LeafNode["values"] {
  if (dtype === "string") return BytesColumn.from(values.map(bytesFromJson));
  const array = new numberArrays[dtype](values.length) as unknown as (number | bigint)[];
  const isBig = dtype === "int64" || dtype === "uint64";
  values.forEach((value, index) => {
    array[index] = isBig ? BigInt(value as string) : Number(value);
  });
  return array as unknown as LeafNode["values"];
}

function bytesFromJson(value: unknown): Uint8Array {
  return typeof value === "string"
    ? new TextEncoder().encode(value)
    : bytesOf((value as { readonly b64: string }).b64);
}

function bytesOf(b64: string): Uint8Array {
  return Uint8Array.from(atob(b64), (letter) => letter.charCodeAt(0));
}
