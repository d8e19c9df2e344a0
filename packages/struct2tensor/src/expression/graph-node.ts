import type { Feature } from "@tfxio/schema";
import type { QueryModel } from "../models/query-model.js";
import type { NodeType } from "../prensor/nodes.js";
import type { Json } from "./json.js";
import type { QuerySource } from "../sources/query-source.js";

/** Parameters of an operator: plain JSON, so that they can be compared and saved. */
export type Attributes = Readonly<Record<string, Json>>;

/**
 * A node of the query graph: an operator, its attributes and its input nodes. Immutable. Nodes with equal operators, attributes,
 * types, inputs, callbacks and sources become one node of a plan.
 */
export interface GraphNode {
  /** Name of the operator in `operators/registry.ts`, or `root`, `field` or `payload` for a node that reads a source. */
  readonly op: string;
  readonly attrs: Attributes;
  readonly inputs: readonly GraphNode[];
  /** Declared type. The computed value is checked against it. */
  readonly type: NodeType;
  /** A callback. Compared by reference, and not serializable. */
  readonly callback?: OpaqueCallback | undefined;
  /** For `callModel` nodes: the model. The attributes hold its id. */
  readonly model?: QueryModel | undefined;
  /** For `root` and `transform` nodes: the source that reads the data. Compared by reference. */
  readonly source?: QuerySource | undefined;
}

/** A callback whose parameter types only its operator knows. */
export type OpaqueCallback = (...args: never[]) => unknown;

/** A field of an expression: its node, and children that are created on request. */
export interface Field {
  readonly node: GraphNode;
  /**
   * Returns the child at a step, or undefined. Also finds map keys, extensions and messages inside a `google.protobuf.Any`, which
   * {@link knownSteps} does not list.
   */
  child(step: string | number): Field | undefined;
  /** Returns the steps of the declared children, in declaration order. */
  knownSteps(): readonly (string | number)[];
  /** Name of the message type, if it may contain itself. If a field below has the same type name, the type is recursive. */
  readonly typeName?: string | undefined;
  /** True for a field that an operator added. It may repeat the type name of a field above it without being recursive. */
  readonly isAdded?: boolean | undefined;
  /** The attached TFMD feature, if any. */
  readonly feature?: Feature | undefined;
  /** For protobuf messages: the serialized messages, which `transformField` transforms. */
  readonly payload?: (() => PayloadField) | undefined;
}

/** The serialized messages of one field, which can be transformed and then decoded. */
export interface PayloadField {
  /** The node that computes the payloads. */
  readonly node: GraphNode;
  /** Creates the message field that is decoded from the payloads of another node. */
  read(node: GraphNode): Field;
}

/** Creates a field without children. */
export function leafField(node: GraphNode, feature?: Feature): Field {
  return { node, child: noChild, knownSteps: noSteps, ...(feature && { feature }) };
}

function noChild(): undefined {
  return undefined;
}

function noSteps(): readonly string[] {
  return [];
}

/** Creates a field whose children are derived from the children of `origin`, and cached. */
export function mappedField(node: GraphNode, origin: Field, mapChild: (child: Field) => Field): Field {
  return remembering({
    node,
    child: (step) => {
      const child = origin.child(step);
      return child && mapChild(child);
    },
    knownSteps: () => origin.knownSteps(),
    typeName: origin.typeName,
    isAdded: origin.isAdded,
  });
}

/** Returns the same field with a cache of its children, so that each child is created once. */
export function remembering(field: Field): Field {
  const children = new Map<string | number, Field | undefined>();
  return {
    ...field,
    child: (step) => {
      if (!children.has(step)) children.set(step, field.child(step));
      return children.get(step);
    },
  };
}

/** Returns the field with one child added or replaced. */
export function withChild(field: Field, step: string | number, child: Field): Field {
  return {
    ...field,
    child: (asked) => (asked === step ? child : field.child(asked)),
    knownSteps: () => {
      const known = field.knownSteps();
      return known.includes(step) ? known : [...known, step];
    },
  };
}
