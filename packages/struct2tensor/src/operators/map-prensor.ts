import { UserFunctionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { addField, fieldAtPath, fieldsTo } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField, remembering } from "../expression/graph-node.js";
import { type KnownField, knownFields } from "../expression/known-fields.js";
import { Path } from "../path/path.js";
import { numElements, type PrensorNode } from "../prensor/nodes.js";
import { Prensor, prensorOf } from "../prensor/prensor.js";
import { type FieldSchema, type MessageSchema, typeOfField } from "../prensor/prensor-schema.js";
import { callBack } from "./callback.js";
import { type Operator, parentAt, subtreeAt } from "./operator.js";
import type { NodeValue } from "./node-value.js";

/** A callback that maps a prensor, with one row per message, to a prensor with the same number of rows. */
export type PrensorCallback = (prensor: Prensor) => Prensor;

/** Arguments of {@link mapPrensor}: the fields to pass, the function, and the schema of its result. */
export interface MapPrensor {
  /** Paths of the fields that the function receives, relative to the message. It also receives everything below them. */
  readonly paths: readonly Path[];
  readonly fn: PrensorCallback;
  /** Schema of the returned prensor. */
  readonly schema: MessageSchema;
}

/**
 * Adds fields to the messages at `source`. A function computes them from the fields below these messages.
 * @throws {ConversionError} `shape-mismatch` (`expression-shape`) when the query runs, if the result has the wrong number of
 *   rows.
 * @throws {UserFunctionError} `user-function` when the query runs, if the function throws or does not return a prensor, or if a
 *   field does not match the schema.
 */
export function mapPrensor(root: Field, source: Path, { paths, fn, schema }: MapPrensor): Field {
  const message = fieldAtPath(root, source);
  const chosen = withParents(message, paths);
  const node: GraphNode = {
    op: "mapPrensor",
    attrs: { paths: chosen.map(({ path }) => path.toString()) },
    inputs: [message.node, ...chosen.map(({ field }) => field.node)],
    type: { kind: "subtree" },
    callback: fn,
  };
  let result = root;
  for (const [name, field] of Object.entries(schema)) {
    result = addField(result, source, name, subtreeField(node, Path.of([name]), field));
  }
  return result;
}

/** Returns the fields at these paths, everything below them, and the messages that contain them. Parents precede children. */
function withParents(message: Field, paths: readonly Path[]): readonly KnownField[] {
  const found = new Map<string, KnownField>();
  for (const path of paths) {
    for (const [depth, field] of fieldsTo(message, path).entries()) {
      const at = path.prefix(depth);
      if (depth > 0) found.set(at.toString(), { path: at, field });
    }
    for (const known of knownFields(fieldAtPath(message, path), path)) {
      if (known.path.length > 0) found.set(known.path.toString(), known);
    }
  }
  return [...found.values()];
}

/** Creates a field that takes its value from a computed subtree. @param path path of the field in the subtree. */
function subtreeField(subtree: GraphNode, path: Path, schema: FieldSchema): Field {
  const type = typeOfField(schema);
  const node: GraphNode = { op: "partOf", attrs: { path: path.toString() }, inputs: [subtree], type };
  if ("dtype" in schema) return leafField(node);
  return remembering({
    node,
    child: (step) => {
      const child = Object.hasOwn(schema.fields, step) ? schema.fields[step] : undefined;
      return child && subtreeField(subtree, path.child(step), child);
    },
    knownSteps: () => Object.keys(schema.fields),
  });
}

/**
 * Computes a subtree by calling the user's function with a Prensor. The first input only determines the rows of this Prensor:
 * each element of that input is a row. The other inputs are the Prensor's fields.
 */
export const mapPrensorOperator: Operator = {
  op: "mapPrensor",
  calculate(inputs, node) {
    const { paths } = node.attrs as { readonly paths: readonly string[] };
    const size = numElements(parentAt(inputs, 0));
    const nodes: Record<string, PrensorNode> = { "": { kind: "root", size } };
    for (const [index, path] of paths.entries()) nodes[path] = inputs[index + 1] as PrensorNode;
    const prensor = callBack(node, [prensorOf(nodes)]);
    if (!(prensor instanceof Prensor)) {
      throw new UserFunctionError(
        `The function of mapPrensor must return a Prensor, found ${describeValue(prensor)}.`,
        { operator: node.op },
      );
    }
    const found = numElements(prensor.node);
    if (found !== size)
      throw shapeMismatch(`The result of mapPrensor must have ${size} rows, found ${found}.`);
    return { kind: "subtree", prensor };
  },
};

/** Takes one node out of a subtree that `mapPrensor` or `callModel` computed. */
export const partOfOperator: Operator = {
  op: "partOf",
  calculate(inputs, { attrs }): NodeValue {
    const { path } = attrs as { readonly path: string };
    const found = subtreeAt(inputs, 0).prensor.find(path);
    if (found === undefined || found.node.kind === "root") {
      throw new UserFunctionError(
        `The function of mapPrensor must return the field "${path}", which its schema declares.`,
        {
          operator: "mapPrensor",
        },
      );
    }
    return found.node;
  },
};
