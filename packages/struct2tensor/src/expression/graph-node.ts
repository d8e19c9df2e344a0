import type { Feature } from "@tfxio/schema";
import type { QueryModel } from "../models/query-model.js";
import type { NodeType } from "../prensor/nodes.js";
import type { Json } from "./json.js";
import type { QuerySource } from "../sources/query-source.js";

/** Parameters of an operator: plain JSON, so that they can be compared and saved. */
export type Attributes = Readonly<Record<string, Json>>;

/**
 * A step of a lowered query: an operator, its attributes, and the nodes that it computes from. Immutable. Nodes with equal
 * operators, attributes and inputs are one node of a plan, wherever they were made.
 */
export interface GraphNode {
  /** Name of the operator in `operators/registry.ts`. */
  readonly op: string;
  readonly attrs: Attributes;
  readonly inputs: readonly GraphNode[];
  /** Declared type; the computed value is checked against it. */
  readonly type: NodeType;
  /** Function of the caller's. Equal only by reference, and not serialisable. */
  readonly callback?: OpaqueCallback | undefined;
  /** Of `callModel` nodes: the model that their attributes name by its id. */
  readonly model?: QueryModel | undefined;
  /** Of `root` nodes: where the data comes from. Equal only by reference. */
  readonly source?: QuerySource | undefined;
}

/** A caller's function. Only its operator knows its parameters. */
export type OpaqueCallback = (...args: never[]) => unknown;

/** A node of an expression, and what lies below it. The children are made when they are asked for. */
export interface Field {
  readonly node: GraphNode;
  /** The child at a step, or undefined. Also finds map keys, casts and extensions, which {@link knownSteps} does not list. */
  child(step: string | number): Field | undefined;
  /** Steps of the children that exist without being asked for, in the order of their declaration. */
  knownSteps(): readonly (string | number)[];
  /** Name of the message type, where it may contain itself: below it, an equal name means recursion. */
  readonly typeName?: string | undefined;
  /** True for a field that an operator added: its type may have the name of a type above it without being recursive. */
  readonly isAdded?: boolean | undefined;
  /** TFMD's description, where one is attached. */
  readonly feature?: Feature | undefined;
  /** Of protobuf messages: the serialized messages, which `transformField` works on. */
  readonly payload?: (() => PayloadField) | undefined;
}

/** Serialized messages of one field, and how they are read. */
export interface PayloadField {
  /** A node whose value has payloads. */
  readonly node: GraphNode;
  /** The fields of messages that are read from the payloads which another node has. */
  read(node: GraphNode): Field;
}

/** A field without children. */
export function leafField(node: GraphNode, feature?: Feature): Field {
  return { node, child: noChild, knownSteps: noSteps, ...(feature && { feature }) };
}

function noChild(): undefined {
  return undefined;
}

function noSteps(): readonly string[] {
  return [];
}

/** A field whose children are made from those of another one, each once. */
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

/** The same field, whose children are made once. */
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

/** The field with one more child, or another one in place of an old. */
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
