import { Encoding } from "../encoding.js";
import type { Column } from "../typescript/column.js";
import type { DecoderPlan } from "../typescript/message-decoder.js";
import { type FieldAction, type MessagePlan, MessageRole } from "../typescript/message-plan.js";
import { actionsOf, messagesOf } from "./covered-plan.js";
import { COLUMN_WORDS, ColumnWord, type KernelExports } from "./kernel-exports.js";

/**
 * Maximum sparseness of the table in which the fields of a message are looked up by tag. If `n` fields of the message have an
 * action, the table covers field numbers below `n` times this factor.
 */
const MAX_SPARSENESS = 4;
/** Field numbers below this are always looked up in a table. Their tags are one byte long. */
const MIN_DENSE_NUMBERS = 16;

/** Number of words of a `MessagePlan` object of assembly/message-plan.as. */
const PLAN_WORDS = 8;
/** Number of words of a `FieldAction` object of assembly/message-plan.as. */
const ACTION_WORDS = 10;
/** Tags below this are a single byte. */
const LONG_TAG = 0x80;
/** Replaces the tag of an action that assembly/plain-fields.as must leave to assembly/record.as. No tag byte equals it. */
const NOT_PLAIN = 0xffff_ffff;
/**
 * Added to the number of an encoding to get the number of the operation that stores packed values in that encoding, as in
 * assembly/message-plan.as.
 */
const STORE_PACKED = 16;
/** Wire type of length-delimited values. */
const LENGTH = 2;
/** Wire type of the start of a group. */
const START_GROUP = 3;

/** Addresses of a plan's parts in the memory of a kernel. */
export interface LaidPlan {
  /** Address of the object for each column. */
  readonly columns: ReadonlyMap<Column, number>;
  /** The messages, keyed by the address of their object. If decoding fails in a message, the kernel reports this address. */
  readonly messages: ReadonlyMap<number, MessagePlan>;
}

/**
 * Writes a plan into the memory of a kernel instance, and replaces the plan that was there. Writes objects for the columns,
 * messages and actions, in the layout of the classes in assembly/column.as and assembly/message-plan.as.
 * @param memoryLimit maximum bytes of the columns of a batch.
 * @throws {RangeError} if memory runs out.
 */
export function layPlan(kernel: KernelExports, plan: DecoderPlan, memoryLimit: number): LaidPlan {
  const messages = messagesOf(plan);
  const columns = messages.flatMap((message) => message.columns);
  const layout = new Layout();
  const columnAt = new Map(columns.map((column) => [column, layout.reserve(COLUMN_WORDS)]));
  const messageAt = new Map(messages.map((message) => [message, layout.reserve(PLAN_WORDS)]));
  const list = layout.reserve(columns.length);
  // The tables of the messages lie after the objects of all messages.
  const tables = messages.map((message) => layTables(message, layout));

  const base = kernel.layPlan(layout.numBytes) >>> 0;
  if (base === 0) throw new RangeError("no memory is left for the plan");
  const words = new Uint32Array(kernel.memory.buffer, base, layout.numWords);
  const address = (word: number): number => base + word * 4;
  const columnAddress = (column: Column | null): number =>
    column === null ? 0 : address(columnAt.get(column)!);
  const messageAddress = (message: MessagePlan | null): number =>
    message === null ? 0 : address(messageAt.get(message)!);

  columns.forEach((column, index) => {
    const at = columnAt.get(column)!;
    words[list + index] = address(at);
    words[at + ColumnWord.encoding] = column.encoding;
    words[at + ColumnWord.isRepeated] = column.isRepeated ? 1 : 0;
    words[at + ColumnWord.message] = messageAddress((column.message as MessagePlan | undefined) ?? null);
  });
  messages.forEach((message, index) => {
    const { children, dense, denseTags, sparse, actions } = tables[index]!;
    words.set(
      [
        message.role === MessageRole.entry ? 1 : 0,
        message.columns.length,
        address(children),
        address(dense),
        denseTags,
        address(sparse),
        actions.filter(({ tag }) => tag >= denseTags).length,
        actions[0] === undefined ? 0 : address(actions[0].at),
      ],
      messageAt.get(message),
    );
    words.set(message.columns.map(columnAddress), children);
    let pair = sparse;
    for (const { tag, operation, action, at, clears } of actions) {
      const { column, message: inner, replaces, encoding } = action;
      const cleared = action.clears ?? [];
      const isPlain =
        tag < Math.min(denseTags, LONG_TAG) && column !== null && inner === null && cleared.length === 0;
      words.set(
        [
          operation,
          columnAddress(column),
          messageAddress(inner),
          replaces ? 1 : 0,
          address(clears),
          cleared.length,
          isPlain ? tag : NOT_PLAIN,
          encoding,
          (tag & 7) === LENGTH ? 2 : 1,
          address(at),
        ],
        at,
      );
      words.set(cleared.map(columnAddress), clears);
      if (tag < denseTags) words[dense + tag] = address(at);
      else {
        words.set([tag, address(at)], pair);
        pair += 2;
      }
    }
  });
  const isStarted = kernel.start(messageAddress(plan.root), address(list), columns.length, memoryLimit);
  if (isStarted === 0) throw new RangeError("no memory is left for the columns of the plan");
  return {
    columns: new Map(columns.map((column) => [column, columnAddress(column)])),
    messages: new Map(messages.map((message) => [messageAddress(message), message])),
  };
}

/** Assigns positions to the objects and tables, in words from the start of the plan. */
class Layout {
  numWords = 0;

  get numBytes(): number {
    return this.numWords * 4;
  }

  /** Returns the position of the next `numWords` words. */
  reserve(numWords: number): number {
    const start = this.numWords;
    this.numWords += numWords;
    return start;
  }
}

/** An action for one tag. `at` and `clears` are the positions of its object and of the list of columns that it clears. */
interface TaggedAction {
  readonly tag: number;
  readonly operation: number;
  readonly action: FieldAction;
  readonly at: number;
  readonly clears: number;
}

/** The tables of a message, which lie outside its object. Positions are in words. */
interface MessageTables {
  /** Position of the list of the columns below the message. */
  readonly children: number;
  /** Position of the table of actions, indexed by tag. */
  readonly dense: number;
  /** Number of tags in the table. All other tags are looked up in the sparse list. */
  readonly denseTags: number;
  /** Position of the pairs of tag and action, ascending by tag. */
  readonly sparse: number;
  /** The actions, ascending by tag. */
  readonly actions: readonly TaggedAction[];
}

function layTables(message: MessagePlan, layout: Layout): MessageTables {
  const fields = actionsOf(message);
  const maxNumbers = Math.max(MIN_DENSE_NUMBERS, fields.length * MAX_SPARSENESS);
  const denseNumbers = fields.map(({ number }) => number).filter((number) => number < maxNumbers);
  const denseTags = (Math.max(-1, ...denseNumbers) + 1) * 8;
  const actions = fields
    .flatMap((action) =>
      waysOf(action).map(({ wireType, operation }) => ({
        tag: action.number * 8 + wireType,
        operation,
        action,
        at: layout.reserve(ACTION_WORDS),
        clears: layout.reserve(action.clears?.length ?? 0),
      })),
    )
    .sort((a, b) => a.tag - b.tag);
  return {
    actions,
    children: layout.reserve(message.columns.length),
    dense: layout.reserve(denseTags),
    denseTags,
    sparse: layout.reserve(actions.filter(({ tag }) => tag >= denseTags).length * 2),
  };
}

/** Returns the possible wire types of a field, each with its operation. Values with any other wire type are skipped. */
function waysOf({ encoding, wireType }: FieldAction): readonly { wireType: number; operation: number }[] {
  switch (encoding) {
    case Encoding.bytes:
    case Encoding.message:
      return [{ wireType: LENGTH, operation: encoding }];
    case Encoding.group:
      return [{ wireType: START_GROUP, operation: encoding }];
    default:
      return [
        { wireType, operation: encoding },
        { wireType: LENGTH, operation: STORE_PACKED + encoding },
      ];
  }
}
