import { ANY_TYPE_URL, ANY_VALUE, type AnyCast } from "../kernels/typescript/any-casts.js";
import { MESSAGE_SET_MESSAGE, MESSAGE_SET_TYPE_ID } from "../kernels/typescript/begin-pass.js";
import { Column } from "../kernels/typescript/column.js";
import { Encoding } from "../kernels/encoding.js";
import { MemoryBudget } from "../kernels/memory-budget.js";
import type { DecoderPlan } from "../kernels/typescript/message-decoder.js";
import {
  type FieldAction,
  type MessagePlan,
  MessageRole,
  messagePlan,
} from "../kernels/typescript/message-plan.js";
import { RangeNotes } from "../kernels/typescript/range-notes.js";
import { actionOfColumn, type CompiledColumn } from "./action-of-column.js";
import type { Compilation, DecodeRules } from "./compilation.js";
import { compileKeyedMap } from "./compile-keyed-map.js";
import { entryField, type FieldShape } from "./message-shape.js";
import { encodingOf, wireTypeOf } from "./scalar-types.js";
import type { SelectedField, SelectedMessage } from "./selection.js";

/**
 * Compiles a plan. The plan owns its columns, so each decoder needs a plan that no other decoder uses. The `columns` of each
 * message are in the order of the selection.
 */
export function compilePlan(
  selected: SelectedMessage,
  rules: DecodeRules,
  budget: MemoryBudget = new MemoryBudget(),
): DecoderPlan {
  const compilation: Compilation = { rules, budget, anys: [] };
  return { root: compileMessage(selected, "", compilation), anys: compilation.anys };
}

function compileMessage(
  { type, fields }: SelectedMessage,
  path: string,
  compilation: Compilation,
): MessagePlan {
  const { rules, anys, budget } = compilation;
  const hasCasts = fields.some(({ kind }) => kind === "cast");
  const notes = hasCasts ? new RangeNotes(ANY_TYPE_URL, ANY_VALUE) : null;
  const casts: AnyCast[] = [];
  // Add this Any before the Anys inside its casts.
  if (notes !== null) anys.push({ owner: null, notes, casts, needsValue: rules.anyEmptyValue === "absent" });
  const columnOf = new Map(
    fields.map((selected) => [selected, compileColumn(selected, joined(path, selected.name), compilation)]),
  );
  for (const [{ kind, field }, { column, message }] of columnOf) {
    if (kind !== "cast" || field.value.kind !== "message" || message === null) continue;
    casts.push({ typeName: new TextEncoder().encode(field.value.message.typeName), column, message });
  }
  const columns = [...columnOf.values()].map(({ column }) => column);
  return messagePlan(path, columns, actionsOf({ type, fields }, path, columnOf, compilation), {
    role: type.isMapEntry ? MessageRole.entry : MessageRole.message,
    notes,
    messageSetItem: type.isMessageSet ? messageSetItem(path, budget) : null,
  });
}

/** Compiles the column of a selected field, and everything below it. */
function compileColumn(
  { kind, field, message }: SelectedField,
  path: string,
  compilation: Compilation,
): CompiledColumn {
  const { budget, anys } = compilation;
  const value = kind === "key" && field.value.kind === "message" ? entryField(field).value : field.value;
  const isRepeated = kind === "key" ? false : field.isRepeated;
  if (value.kind === "scalar") {
    return { column: new Column({ encoding: encodingOf(value.scalar), isRepeated, budget }), message: null };
  }
  const plan = compileMessage(message!, path, compilation);
  const encoding = value.isGroup ? Encoding.group : Encoding.message;
  const column = new Column({ encoding, isRepeated, message: plan, budget });
  const any = plan.notes && anys.find(({ notes }) => notes === plan.notes);
  if (any) any.owner = column;
  return { column, message: plan };
}

/**
 * Returns the actions for the fields of a message. An unread field also has an action if its occurrence clears a member of its
 * oneof.
 */
function actionsOf(
  { type, fields }: SelectedMessage,
  path: string,
  columnOf: ReadonlyMap<SelectedField, CompiledColumn>,
  compilation: Compilation,
): readonly FieldAction[] {
  const { rules } = compilation;
  const plain = fields.filter(({ kind }) => kind === "field");
  const members = (oneof: string | undefined, except: number): readonly Column[] | null => {
    if (oneof === undefined || rules.oneof === "independent") return null;
    const others = plain.filter(({ field }) => field.oneof === oneof && field.number !== except);
    return others.length === 0 ? null : others.map((selected) => columnOf.get(selected)!.column);
  };
  const keys = new Map<FieldShape, SelectedField[]>();
  for (const selected of fields) {
    if (selected.kind === "key") keys.set(selected.field, [...(keys.get(selected.field) ?? []), selected]);
  }
  const actions: FieldAction[] = [];
  const add = (field: FieldShape, compiled: CompiledColumn | undefined): void => {
    const { number, oneof, value } = field;
    const { column = null, message = null } = compiled ?? {};
    const clears = members(oneof, number);
    const chosen = keys.get(field);
    if (column === null && clears === null && chosen === undefined) return;
    const encoding = encodingOfField(value);
    const keyed = chosen
      ? compileKeyedMap(field, { chosen, columnOf, entries: compiled, path, compilation })
      : null;
    const replaces = rules.singularMessage === "last" && !field.isRepeated;
    actions.push({
      number,
      encoding,
      wireType: wireTypeOf(encoding),
      column,
      message,
      clears,
      replaces,
      keyed,
    });
  };
  const selectedOf = new Map(plain.map((selected) => [selected.field, selected]));
  for (const field of type.fields()) add(field, columnOf.get(selectedOf.get(field)!));
  const own = new Set(type.fields());
  for (const selected of plain) if (!own.has(selected.field)) add(selected.field, columnOf.get(selected));
  return actions;
}

function encodingOfField(value: FieldShape["value"]): Encoding {
  if (value.kind === "scalar") return encodingOf(value.scalar);
  return value.isGroup ? Encoding.group : Encoding.message;
}

/** Creates the plan that scans an item of a MessageSet for its type id, and notes the range of its message. */
function messageSetItem(path: string, budget: MemoryBudget): MessagePlan {
  const typeId = new Column({ encoding: Encoding.varint32, isRepeated: false, budget });
  const action = actionOfColumn(MESSAGE_SET_TYPE_ID, { column: typeId, message: null });
  const notes = new RangeNotes(MESSAGE_SET_MESSAGE, 0);
  return messagePlan(path, [typeId], [action], { role: MessageRole.messageSetItem, notes });
}

function joined(path: string, step: string): string {
  return path === "" ? step : `${path}.${step}`;
}
