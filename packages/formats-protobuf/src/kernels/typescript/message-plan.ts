import type { Column } from "./column.js";
import type { Encoding } from "../encoding.js";
import type { KeyedValues, MapKey } from "./keyed-values.js";
import type { RangeNotes } from "./range-notes.js";

/** Field numbers below this are looked up in a list, others in a map. */
const MAX_DENSE = 1024;

/** Instructions for decoding one field of a message. */
export interface FieldAction {
  readonly number: number;
  readonly encoding: Encoding;
  /** Wire type of a single value. Packed values are length-delimited. */
  readonly wireType: number;
  /**
   * The column that stores the values. Null for a field that only clears other members of its oneof, and for a map of which only
   * chosen keys are read.
   */
  readonly column: Column | null;
  /** Plan of the column's items, if they are messages. */
  readonly message: MessagePlan | null;
  /** Columns of the other members of the field's oneof. A value of the field clears them. */
  readonly clears: readonly Column[] | null;
  /** True if a repeated occurrence of a singular message replaces the earlier one instead of being merged. */
  readonly replaces: boolean;
  /** The map, if some of its keys have their own columns. Null for other fields. */
  readonly keyed: KeyedMap | null;
}

/** A map with separate columns for some of its keys. */
export interface KeyedMap {
  /** Plan of the first pass over an entry, which finds the key. */
  readonly scan: MessagePlan;
  /** Column of at most one item: the scanned key, if it is not a string. */
  readonly scanned: Column;
  /** The column of all entries, if it is also read. */
  readonly entries: Column | null;
  /** Plan of the pass that reads an entry into `entries`; null if they are not read. */
  readonly entry: MessagePlan | null;
  /** The columns of the chosen keys. */
  readonly values: KeyedValues<KeyedValue>;
}

/** The column of one key of a map. */
export interface KeyedValue {
  readonly key: MapKey;
  readonly column: Column;
  /**
   * Plan that reads the value of an entry with this key into the column. The column's parents are the messages that contain the
   * map.
   */
  readonly pass: MessagePlan;
}

/** Role of a plan. It determines the next step of the decoder at the end of a message. */
export const MessageRole = {
  message: 0,
  /** A map entry: a missing key or value gets its default. */
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

/** The part of a message that is read: its columns, and an action for each field number. */
export interface MessagePlan {
  readonly role: MessageRole;
  /** Path of the message for errors: steps joined with dots, empty for the record. */
  readonly path: string;
  /** Columns directly below the message, in the order of the batch. */
  readonly columns: readonly Column[];
  /** Actions of the fields with numbers below 1024, indexed by number. The list ends at the largest such number. */
  readonly dense: readonly (FieldAction | undefined)[];
  /** Actions of the other fields, keyed by number. */
  readonly sparse: ReadonlyMap<number, FieldAction>;
  /** Records byte ranges of fields that are read again later; null if there are none. */
  readonly notes: RangeNotes | null;
  /** The map that a pass over an entry belongs to. */
  readonly keyed: KeyedMap | null;
  /** The value that a second pass over an entry fills. */
  readonly keyedValue: KeyedValue | null;
  /** Plan of each item of a MessageSet. */
  readonly messageSetItem: MessagePlan | null;
}

/** Creates a plan from its parts. In `special`, `role` defaults to `message`, and the other parts default to null. */
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

/** Returns the action for a field number, or undefined if the field has no action. */
export function actionOf(plan: MessagePlan, number: number): FieldAction | undefined {
  return number < plan.dense.length ? plan.dense[number] : plan.sparse.get(number);
}

/** Plan of unrequested groups: only their framing is checked. */
export const SKIPPED: MessagePlan = messagePlan("", [], []);
