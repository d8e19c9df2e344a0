import type { Registry } from "@bufbuild/protobuf";
import { ColumnPath } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { parseMapKey } from "./map-key.js";
import { entryField, type FieldShape, fieldShape, type MessageShape, messageShape } from "./message-shape.js";
import { type PathTree, pathTree } from "./path-tree.js";
import type { SelectedField, SelectedMessage } from "./selection.js";
import { createWholeSelection, type WholeSelection } from "./whole-selection.js";

/** Name of the type whose values can be cast. */
export const ANY_TYPE = "google.protobuf.Any";

const KEYED_STEP = /^([^[(]+)\[([^\]]*)\]$/su;
const NAMED_STEP = /^\((?:.*\/)?([^()/]+)\)$/su;

/** What columns are chosen from. */
export interface ColumnChoice {
  readonly type: MessageShape;
  /** Where extensions and the types in Anys are found. */
  readonly registry: Registry;
  /** Absent: every column of the type. */
  readonly columns?: readonly ColumnPath[] | undefined;
  readonly maxRecursion: number;
}

/**
 * The columns for these paths. Fields come in the order of the descriptor; then map keys, casts and extensions, in the order
 * in which they are asked for.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`).
 * @throws {ArgumentError} `invalid-argument`: `column-path`, `duplicate-path`, `map-key`, `recursive-type`,
 * `too-many-columns`.
 */
export function selectColumns({ type, registry, columns, maxRecursion }: ColumnChoice): SelectedMessage {
  const whole = createWholeSelection(maxRecursion);
  if (columns === undefined) return whole.of(type);
  // The end of the empty path is the record itself, without columns.
  const tree = { ...pathTree(columns), isEnd: false };
  return selectMessage(type, tree, { path: ColumnPath.of(), isWithinWhole: false, registry, whole });
}

/** Where a selection is, and what it looks types up in. */
interface Context {
  readonly path: ColumnPath;
  /** True below a message that is wanted with all its fields. */
  readonly isWithinWhole: boolean;
  readonly registry: Registry;
  readonly whole: WholeSelection;
}

function selectMessage(type: MessageShape, tree: PathTree, context: Context): SelectedMessage {
  const isWhole = tree.isWildcard || tree.isEnd || context.isWithinWhole;
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

/** The field, map key, extension or cast that a step names. */
function findStep(
  type: MessageShape,
  step: string,
  path: ColumnPath,
  registry: Registry,
): SelectedField | undefined {
  const field = type.fields().find(({ name }) => name === step);
  if (field !== undefined) return { name: step, field, kind: "field" };
  const [, mapName, keyText] = KEYED_STEP.exec(step) ?? [];
  if (mapName !== undefined && keyText !== undefined) {
    const map = type.fields().find(({ name, mapKey }) => name === mapName && mapKey !== undefined);
    if (map === undefined) return undefined;
    return { name: step, field: map, kind: "key", key: parseMapKey(keyText, map.mapKey!, `${path}`) };
  }
  const [, fullName] = NAMED_STEP.exec(step) ?? [];
  if (fullName === undefined) return undefined;
  if (type.typeName === ANY_TYPE) {
    const message = registry.getMessage(fullName);
    return message && { name: step, field: castField(step, messageShape(message)), kind: "cast" };
  }
  const extension = registry.getExtension(fullName);
  if (extension?.extendee.typeName !== type.typeName) return undefined;
  return { name: step, field: fieldShape(extension, step), kind: "field" };
}

/** A field that an Any does not have, but its column looks like. */
function castField(name: string, message: MessageShape): FieldShape {
  return {
    name,
    number: 0,
    isRepeated: false,
    isImplicit: false,
    oneof: undefined,
    mapKey: undefined,
    value: { kind: "message", message, isGroup: false },
  };
}

/** Two spellings of one key, or of one type, would be one column twice. */
function assertDistinctKeys(fields: readonly SelectedField[]): void {
  const seen = new Set<string>();
  for (const { kind, key, field, name } of fields) {
    if (kind === "field") continue;
    const same = kind === "cast" ? typeNameOf(field) : `${field.name}[${JSON.stringify(key)}]`;
    if (seen.has(same)) {
      throw new ArgumentError("invalid-argument", `"${name}" is asked for twice, in two spellings.`, {
        reason: "duplicate-path",
        argument: "columns",
      });
    }
    seen.add(same);
  }
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
