import type { Column } from "./column.js";
import type { Encoding } from "../encoding.js";
import type { KeyedValues, MapKey } from "./keyed-values.js";
import type { RangeNotes } from "./range-notes.js";

/** Field numbers below this are looked up in a list, others in a map. */
const MAX_DENSE = 1024;

/** What is done with a field that the plan knows. */
export interface FieldAction {
  readonly number: number;
  readonly encoding: Encoding;
  /** The wire type of one value; packed values come with a length. */
  readonly wireType: number;
  /** Null for a field that is only watched, because it clears the members of its oneof. */
  readonly column: Column | null;
  /** What the items of the column are, if they are messages. */
  readonly message: MessagePlan | null;
  /** Columns of the other members of its oneof, which a value clears. */
  readonly clears: readonly Column[] | null;
  /** A message that comes again replaces the earlier one instead of being merged with it. */
  readonly replaces: boolean;
  /** The map whose entries have columns of their own by key. */
  readonly keyed: KeyedMap | null;
}

/** A map of which some keys have columns of their own. */
export interface KeyedMap {
  readonly scan: MessagePlan;
  /** Where the scan puts a key that is no string: one item. */
  readonly scanned: Column;
  /** The column of all entries, if it is read too. */
  readonly entries: Column | null;
  readonly entry: MessagePlan | null;
  readonly values: KeyedValues<KeyedValue>;
}

/** The column of one key of a map. */
export interface KeyedValue {
  readonly key: MapKey;
  readonly column: Column;
  /** Reads the value of an entry with this key into the column; its parent is the message with the map. */
  readonly pass: MessagePlan;
}

/** What the decoder does when it has come to the end of a message. */
export const MessageRole = {
  message: 0,
  /** An entry of a map: a key or value that it lacks is the default. */
  entry: 1,
  /** First pass over an entry of a map with chosen keys: finds the key. */
  keyScan: 2,
  /** Second pass, over an entry whose key was chosen. */
  keyedValue: 3,
  /** An item of a MessageSet: finds the type id and the message. */
  messageSetItem: 4,
} as const;
/** @see {@link MessageRole} */
export type MessageRole = (typeof MessageRole)[keyof typeof MessageRole];

/** What is read of a message: its columns, and field number by field number what to do. */
export interface MessagePlan {
  readonly role: MessageRole;
  /** Where the message is, for errors: steps joined with dots, empty for the record. */
  readonly path: string;
  /** Columns whose parents are these messages, in the order of the batch. */
  readonly columns: readonly Column[];
  /** Actions by field number, up to the largest small one. */
  readonly dense: readonly (FieldAction | undefined)[];
  readonly sparse: ReadonlyMap<number, FieldAction>;
  /** Byte ranges to remember of fields that are looked at again. */
  readonly notes: RangeNotes | null;
  /** The map that a pass over an entry belongs to. */
  readonly keyed: KeyedMap | null;
  /** The value that a second pass over an entry fills. */
  readonly keyedValue: KeyedValue | null;
  /** What each item of a MessageSet is read with. */
  readonly messageSetItem: MessagePlan | null;
}

/** A plan of these parts; those that few messages have are null by default. */
export function messagePlan(
  path: string,
  columns: readonly Column[],
  actions: readonly FieldAction[],
  special: Partial<Omit<MessagePlan, "path" | "columns" | "dense" | "sparse">> = {},
): MessagePlan {
  const small = new Map(
    actions.filter(({ number }) => number < MAX_DENSE).map((action) => [action.number, action]),
  );
  const dense = Array.from({ length: Math.max(0, ...small.keys()) + 1 }, (_, number) => small.get(number));
  const sparse = new Map(
    actions.filter(({ number }) => number >= MAX_DENSE).map((action) => [action.number, action]),
  );
  const {
    role = MessageRole.message,
    notes = null,
    keyed = null,
    keyedValue = null,
    messageSetItem = null,
  } = special;
  return { role, path, columns, dense, sparse, notes, keyed, keyedValue, messageSetItem };
}

/** The action for a field number; undefined for a field that is not read. */
export function actionOf(plan: MessagePlan, number: number): FieldAction | undefined {
  return number < plan.dense.length ? plan.dense[number] : plan.sparse.get(number);
}

/** Groups that nobody asked for are read with this: only their framing is checked. */
export const SKIPPED: MessagePlan = messagePlan("", [], []);
