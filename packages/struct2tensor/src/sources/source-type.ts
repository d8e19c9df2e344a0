import { type Field, type GraphNode, type PayloadField, remembering } from "../expression/graph-node.js";
import type { Path } from "../path/path.js";
import type { FieldType } from "../prensor/nodes.js";
import { type FieldSchema, type MessageSchema, typeOfField } from "../prensor/prensor-schema.js";
import type { QuerySource } from "./query-source.js";

/** The fields of a message in a source. They are created on demand, because message types may be recursive. */
export interface MessageType {
  /** Returns the field at a step, or undefined. Also finds fields that {@link knownSteps} does not list. */
  child(step: string | number): SourceField | undefined;
  /** Returns the steps of the declared fields, in declaration order. */
  knownSteps(): readonly string[];
  /** Name of the type, if it may contain itself. */
  readonly typeName?: string | undefined;
}

/** A field of a source. */
export interface SourceField {
  readonly type: FieldType;
  /** The fields of a message. Absent for leaves. */
  readonly message?: MessageType | undefined;
  /** Reads serialized messages of the field's type. Absent if the field's messages cannot be transformed. */
  readonly payloadSource?: QuerySource | undefined;
}

/** Returns a function that lists the known fields of the message at a path; `[]` for a leaf. */
export function fieldNamesOf(root: MessageType): (message: Path) => readonly string[] {
  return ({ steps }) => {
    let message: MessageType | undefined = root;
    for (const step of steps) message = message?.child(step)?.message;
    return message?.knownSteps() ?? [];
  };
}

/** Creates the root of an expression over a source. */
export function rootOf(source: QuerySource, type: MessageType): Field {
  return messageField({ op: "root", attrs: {}, inputs: [], type: { kind: "root" }, source }, type);
}

/** Creates a field with the children of a message type. */
function messageField(node: GraphNode, { typeName, ...type }: MessageType): Field {
  return remembering({
    node,
    child: (step) => {
      const found = type.child(step);
      return found && sourceField(node, step, found);
    },
    knownSteps: () => type.knownSteps(),
    typeName,
  });
}

const NO_FIELDS: MessageType = { child: () => undefined, knownSteps: () => [] };

/** Creates the field at a step. Only fields with a payload source can be transformed. */
function sourceField(
  parent: GraphNode,
  step: string | number,
  { type, message, payloadSource }: SourceField,
): Field {
  const node: GraphNode = { op: "field", attrs: { step }, inputs: [parent], type };
  const field = messageField(node, message ?? NO_FIELDS);
  if (payloadSource === undefined || message === undefined) return field;
  const payload: GraphNode = { op: "payload", attrs: { step }, inputs: [parent], type };
  return { ...field, payload: () => payloadField(payload, message, payloadSource) };
}

/** Creates the payloads of a message field. `source` decodes the result of a transform, which can then be transformed again. */
function payloadField(node: GraphNode, message: MessageType, source: QuerySource): PayloadField {
  return {
    node,
    read: (transform) => {
      const read: GraphNode = { ...transform, source };
      return { ...messageField(read, message), payload: () => payloadField(read, message, source) };
    },
  };
}

/** Returns the fields of a declared schema. */
export function typeOfSchema(schema: MessageSchema): MessageType {
  return {
    knownSteps: () => Object.keys(schema),
    child: (step) => (Object.hasOwn(schema, step) ? fieldOfSchema(schema[step]!) : undefined),
  };
}

function fieldOfSchema(field: FieldSchema): SourceField {
  return { type: typeOfField(field), ...("fields" in field && { message: typeOfSchema(field.fields) }) };
}
