import { parseProto } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import type { BatchLimits, Random, RecordBlock } from "@tfxio/wire";
import { resolveMessageType } from "../../src/descriptor/message-types.js";
import type { DecodeRules } from "../../src/plan/compilation.js";
import { messageShape } from "../../src/plan/message-shape.js";
import { selectColumns } from "../../src/plan/select-columns.js";
import type { SelectedMessage } from "../../src/plan/selection.js";
import { damaged, drawMessage } from "./draw-messages.js";
import { type DrawnType, drawType } from "./draw-type.js";

/** A type, and two or three selections of its columns. */
export interface DrawnPlan {
  readonly type: DrawnType;
  readonly selections: readonly SelectedMessage[];
}

/** The selected columns, the rules, the limits, and blocks of records. */
export interface DrawnCase {
  readonly selected: SelectedMessage;
  readonly rules: DecodeRules;
  readonly memoryLimit: number;
  readonly limits: BatchLimits;
  readonly blocks: readonly RecordBlock[];
}

/** Draws a type and its selections: all columns, some columns, and sometimes only the presence of some messages. */
export async function drawPlan(random: Random): Promise<DrawnPlan> {
  const type = drawType(random);
  const { registry, message } = resolveMessageType(await parseProto(type.proto, "M0"));
  const choice = { type: messageShape(message), registry, maxRecursion: 0, messagePaths: "whole" } as const;
  const whole = selectColumns({ ...choice, columns: undefined });
  const paths = pathsOf(whole, ColumnPath.of()).filter(() => random.below(2) === 0);
  const some = paths.length === 0 ? whole : selectColumns({ ...choice, columns: paths });
  const messages = messagePathsOf(whole, ColumnPath.of()).filter(() => random.below(2) === 0);
  if (messages.length === 0) return { type, selections: [whole, some] };
  const presence = selectColumns({ ...choice, columns: messages, messagePaths: "presence" });
  return { type, selections: [whole, some, presence] };
}

/** Returns the paths of the outermost messages. The presence selection is drawn from them. */
function messagePathsOf({ fields }: SelectedMessage, around: ColumnPath): readonly ColumnPath[] {
  return fields.flatMap(({ name, message }) => (message === undefined ? [] : [around.child(name)]));
}

function pathsOf({ fields }: SelectedMessage, around: ColumnPath): readonly ColumnPath[] {
  return fields.flatMap(({ name, message }) => {
    const path = around.child(name);
    return message === undefined || message.fields.length === 0 ? [path] : pathsOf(message, path);
  });
}

/** Draws blocks of records of a type, with rules and limits. In half of all cases, about one record in eight is damaged. */
export function drawCase({ type, selections }: DrawnPlan, random: Random): DrawnCase {
  const isDamaged = random.below(2) === 0;
  return {
    selected: selections[random.below(selections.length)]!,
    rules: {
      singularMessage: random.below(4) === 0 ? "last" : "merge",
      oneof: random.below(4) === 0 ? "independent" : "last",
      anyEmptyValue: "present",
    },
    memoryLimit: random.below(6) === 0 ? 2000 + random.below(20_000) : 2 ** 31,
    limits: {
      maxRows: random.below(2) === 0 ? Number.POSITIVE_INFINITY : 1 + random.below(30),
      maxBytes: random.below(2) === 0 ? Number.POSITIVE_INFINITY : random.below(5000),
    },
    blocks: Array.from({ length: 1 + random.below(3) }, () => drawBlock(type, random, isDamaged)),
  };
}

function drawBlock(type: DrawnType, random: Random, isDamaged: boolean): RecordBlock {
  const records = Array.from({ length: 1 + random.below(40) }, () => {
    const bytes = drawMessage(type, random);
    return isDamaged && random.below(8) === 0 ? damaged(bytes, random) : bytes;
  });
  const isShuffled = random.below(4) === 0;
  const order = records.map((_, index) => index);
  if (isShuffled) order.reverse();
  const starts = new Uint32Array(records.length);
  const ends = new Uint32Array(records.length);
  const bytes: number[] = [];
  for (const index of order) {
    // Bytes between records belong to no record.
    for (let gap = random.below(3); gap > 0; gap--) bytes.push(0xff);
    starts[index] = bytes.length;
    bytes.push(...records[index]!);
    ends[index] = bytes.length;
  }
  return {
    uri: "drawn",
    bytes: Uint8Array.from(bytes),
    numRecords: records.length,
    starts,
    ends,
    firstRecordIndex: 0,
    byteOffset: 0,
  };
}
