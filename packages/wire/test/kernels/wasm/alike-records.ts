import type { Draw } from "./draw.js";
import { exampleTree, kindOf, type Kind, NAMES } from "./example-tree.js";
import { sequenceTree, stepKindOf } from "./sequence-tree.js";
import { cutEnd, editTree, everyField, field, isMessage, type WireField, writeFields } from "./wire-tree.js";

/**
 * Only records after this index may be edited, because kernels may decode several records before they compare an entry with an
 * earlier one.
 */
const NUM_FIRST = 12;
const utf8 = new TextEncoder();

/** Returns similar records, some of them edited. Their entries equal or almost equal the entries that kernels cache. */
export function alikeRecords(draw: Draw, isSequence: boolean): Uint8Array[] {
  const next = draw.oneIn(3) ? sameRecords(draw, isSequence) : tableRows(draw, isSequence);
  const rarity = draw.pick([2, 6, 20]);
  return Array.from({ length: 2 * NUM_FIRST + draw.below(80) }, (_, i) =>
    i > NUM_FIRST && draw.oneIn(rarity) ? nearly(draw, next()) : writeFields(next()),
  );
}

/** Returns a function that repeats one record. */
function sameRecords(draw: Draw, isSequence: boolean): () => WireField[] {
  const tree = (isSequence ? sequenceTree : exampleTree)(draw, draw.oneIn(2));
  return () => structuredClone(tree);
}

/**
 * Returns a function that creates records with the same names, value sizes and numbers of steps. Only the bytes of values differ.
 */
function tableRows(draw: Draw, isSequence: boolean): () => WireField[] {
  const context = tableMap(draw, 1, kindOf, (list) => [list()]);
  if (!isSequence) return () => [context()];
  const lists = tableMap(draw, 2, stepKindOf, (list, numSteps) =>
    Array.from({ length: numSteps }, () => field(1, [list()])),
  );
  return () => [context(), lists()];
}

function tableMap(
  draw: Draw,
  number: number,
  kindIn: (name: string) => Kind,
  valueTree: (list: () => WireField, numSteps: number) => WireField[],
): () => WireField {
  const columns = NAMES.filter(() => draw.oneIn(3)).map((name) => {
    const kind = kindIn(name);
    const size = kind === 2 ? 4 * (1 + draw.below(5)) : 1 + draw.below(kind === 1 ? 40 : 10);
    return { key: [...utf8.encode(name)], list: () => oneValue(draw, kind, size), numSteps: draw.below(4) };
  });
  return () =>
    field(
      number,
      columns.map(({ key, list, numSteps }) =>
        field(1, [field(1, [...key]), field(2, valueTree(list, numSteps))]),
      ),
    );
}

/** Returns a list of one byte string, one integer or several floats. The values take `size` bytes in total. */
function oneValue(draw: Draw, kind: Kind, size: number): WireField {
  const bytes = draw.bytes(size);
  if (kind === 3) bytes.forEach((byte, i) => (bytes[i] = i < size - 1 ? byte | 128 : byte & 127));
  return field(kind, [field(1, bytes)]);
}

/** Writes a record after a small edit, which usually changes no lengths. */
function nearly(draw: Draw, tree: WireField[]): Uint8Array {
  const leaves = everyField(tree).filter(({ content }) => content.length > 0 && !isMessage(content));
  if (leaves.length === 0) return writeFields(tree);
  const entries = draw.pick(tree).content;
  switch (draw.below(8)) {
    case 0:
    case 1:
      changeByte(draw, draw.pick(leaves).content as number[]);
      break;
    case 2:
      partVarints(draw.pick(leaves).content as number[]);
      break;
    case 3:
      draw.pick(tree).lengthLie = -1 - draw.below(30);
      break;
    case 4:
      if (isMessage(entries)) entries.push(draw.pick(entries));
      break;
    case 5:
      // The last field then extends one byte beyond its message.
      cutEnd(draw.pick(nested(draw, tree)));
      break;
    case 6:
      editTree(draw, tree);
      break;
    default: {
      const record = writeFields(tree);
      record[draw.below(record.length)]! ^= 1 << draw.below(8);
      return record;
    }
  }
  return writeFields(tree);
}

/** Returns a random path of nested messages. Picking a message from a path chooses deep messages as often as shallow ones. */
function nested(draw: Draw, tree: readonly WireField[]): WireField[] {
  const path: WireField[] = [];
  for (let inner = [...tree]; inner.length > 0; ) {
    const message = draw.pick(inner);
    path.push(message);
    const { content } = message;
    inner = isMessage(content) ? content.filter((one) => isMessage(one.content)) : [];
  }
  return path;
}

/** Flips a bit of a name or value, often in the last byte, so that a name differs from earlier ones only at its end. */
function changeByte(draw: Draw, bytes: number[]): void {
  const at = draw.oneIn(2) ? bytes.length - 1 : draw.below(bytes.length);
  bytes[at]! ^= 1 << draw.below(7);
}

/** Clears the high bit of every byte, so that each byte is a complete varint. */
function partVarints(bytes: number[]): void {
  for (let i = 0; i < bytes.length; i++) bytes[i]! &= 127;
}
