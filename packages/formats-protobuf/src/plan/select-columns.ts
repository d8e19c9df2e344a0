import type { Registry } from "@bufbuild/protobuf";
import { ColumnPath } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import type { MapKey } from "../kernels/typescript/keyed-values.js";
import { findStep } from "./find-step.js";
import { entryField, type FieldShape, type MessageShape } from "./message-shape.js";
import { type PathTree, pathTree } from "./path-tree.js";
import type { SelectedField, SelectedMessage } from "./selection.js";
import { createWholeSelection, type WholeSelection } from "./whole-selection.js";

export interface ColumnChoice {
  readonly type: MessageShape;
  /** Finds extensions, and the types inside Anys. */
  readonly registry: Registry;
  /** The requested columns. If absent, every column of the type is selected. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** See {@link ProtobufOptions.maxRecursion}. */
  readonly maxRecursion: number;
  /** See {@link ProtobufOptions.messagePaths}. */
  readonly messagePaths: "whole" | "presence";
}

/**
 * Selects the columns for these paths. Fields are in descriptor order, followed by map keys, casts and extensions in the order
 * requested.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`).
 * @throws {ArgumentError} `invalid-argument`: `column-path`, `duplicate-path`, `map-key`, `recursive-type`, `too-many-columns`.
 */
export function selectColumns({
  type,
  registry,
  columns,
  maxRecursion,
  messagePaths,
}: ColumnChoice): SelectedMessage {
  const whole = createWholeSelection(maxRecursion);
  if (columns === undefined) return whole.of(type);
  // An empty path stands for the record itself, and selects no columns.
  const tree = { ...pathTree(columns), isEnd: false };
  return selectMessage(type, tree, {
    path: ColumnPath.of(),
    isWithinWhole: false,
    registry,
    whole,
    messagePaths,
  });
}

/** The position in the message type, and parameters that do not change on the way down. */
interface Context {
  readonly path: ColumnPath;
  /** True below a message that is requested with all its fields. */
  readonly isWithinWhole: boolean;
  readonly registry: Registry;
  readonly whole: WholeSelection;
  readonly messagePaths: "whole" | "presence";
}

/** Selects the fields of a message: all of them if it is requested as a whole, and those that have their own paths. */
function selectMessage(type: MessageShape, tree: PathTree, context: Context): SelectedMessage {
  const isWholeEnd = tree.isEnd && context.messagePaths === "whole";
  const isWhole = tree.isWildcard || isWholeEnd || context.isWithinWhole;
  const base = isWhole ? context.whole.of(type).fields : [];
  const chosen = [...tree.steps].map(([step, below]) => {
    const path = context.path.child(step);
    return selectStep(type, step, below, { ...context, path, isWithinWhole: isWhole });
  });
  assertDistinctKeys(chosen);
  const order = new Map(type.fields().map(({ name }, index) => [name, index]));
  const isOrdered = ({ kind, name }: SelectedField): boolean => kind === "field" && order.has(name);
  const plain = new Map([...base, ...chosen.filter(isOrdered)].map((field) => [field.name, field]));
  return {
    type,
    fields: [
      ...[...plain.values()].sort((a, b) => order.get(a.name)! - order.get(b.name)!),
      ...chosen.filter((field) => !isOrdered(field)),
    ],
  };
}

/** Selects the column of one step, and the requested part below it. */
function selectStep(type: MessageShape, step: string, tree: PathTree, context: Context): SelectedField {
  const { path, registry, isWithinWhole } = context;
  const found = findStep(type, step, path, registry);
  if (found === undefined) throw unknownColumn(path, type);
  const value = found.kind === "key" ? entryField(found.field).value : found.field.value;
  if (value.kind === "message") {
    // Map keys, casts and extensions are never part of a whole message.
    const isPart = isWithinWhole && type.fields().includes(found.field) && found.kind === "field";
    return { ...found, message: selectMessage(value.message, tree, { ...context, isWithinWhole: isPart }) };
  }
  const [below] = tree.isWildcard ? ["*"] : tree.steps.keys();
  if (below !== undefined) throw unknownColumn(path.child(below), type);
  return found;
}

/** Rejects two spellings of a key, type or extension, such as `m[1]` and `m[01]`, which would give the same column twice. */
function assertDistinctKeys(fields: readonly SelectedField[]): void {
  const seen = new Set<string>();
  for (const { kind, key, field, name } of fields) {
    const keyed = kind === "key" ? `${field.name}[${keyText(key!)}]` : `field ${field.number}`;
    const same = kind === "cast" ? typeNameOf(field) : keyed;
    if (seen.has(same)) {
      throw new ArgumentError(
        "invalid-argument",
        `columns must not repeat a map key, type or extension in another spelling, found "${name}".`,
        {
          reason: "duplicate-path",
          argument: "columns",
        },
      );
    }
    seen.add(same);
  }
}

/** Returns a string that is the same for equal keys. */
function keyText(key: MapKey): string {
  return "bytes" in key ? key.bytes.join() : String(key.value);
}

function typeNameOf({ value }: FieldShape): string {
  return value.kind === "message" ? value.message.typeName : "";
}

function unknownColumn(path: ColumnPath, { typeName }: MessageShape): SchemaError {
  return new SchemaError("schema-mismatch", `The message ${typeName} has no column for "${path}".`, {
    reason: "unknown-column",
    columnPath: path.toString(),
  });
}
