import type { Draw } from "./draw.js";

/**
 * A field of a protobuf message before it is written. Lengths are computed when the tree is written, so an edit causes errors
 * only at its own position. Wrong lengths and redundant bytes are edits too.
 */
export interface WireField {
  number: number;
  wireType: number;
  /** Fields of a message or group, or bytes. */
  content: WireField[] | number[];
  /** Added to the length that is written. */
  lengthLie?: number;
  /** Number of redundant bytes in the tag. */
  spareTagBytes?: number;
  /** Number of redundant bytes in the length. */
  spareLengthBytes?: number;
  /** Field number of a group's end tag, or null for no end tag. Default: `number`. */
  endNumber?: number | null;
}

export function field(number: number, content: WireField[] | number[], wireType = 2): WireField {
  return { number, wireType, content };
}

/** Returns true for the fields of a message, and false for bytes or an empty message. */
export function isMessage(content: WireField[] | number[]): content is WireField[] {
  return typeof content[0] === "object";
}

export function varint(value: number | bigint, spareBytes = 0): number[] {
  if (typeof value === "number" && value >= 0 && value < 128 && spareBytes === 0) return [value];
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  for (let i = 0; i < spareBytes; i++) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(0);
  }
  return bytes;
}

/** Returns the fields of a tree at all depths. */
export function everyField(tree: readonly WireField[]): WireField[] {
  return tree.flatMap((one) => (isMessage(one.content) ? [one, ...everyField(one.content)] : one));
}

/** Buffer that is written backwards, so that each length is known when it is written. */
let scratch = new Uint8Array(1 << 16);

/** Returns the bytes of a message. */
export function writeFields(fields: readonly WireField[]): Uint8Array {
  for (;;) {
    const start = writeBackwards(fields, scratch.length);
    if (start >= 0) return scratch.slice(start);
    scratch = new Uint8Array(scratch.length * 2);
  }
}

/** Writes fields that end at `end`. Returns where they start, or a position below 0 if there is no room. */
function writeBackwards(fields: readonly WireField[], end: number): number {
  let p = end;
  for (let i = fields.length - 1; i >= 0; i--) {
    const {
      number,
      wireType,
      content,
      lengthLie = 0,
      spareTagBytes,
      spareLengthBytes,
      endNumber,
    } = fields[i]!;
    if (wireType === 3 && endNumber !== null) p = prepend(varint((endNumber ?? number) * 8 + 4), p);
    const contentEnd = p;
    p = isMessage(content) ? writeBackwards(content, p) : prepend(content, p);
    if (wireType === 2) p = prepend(varint(Math.max(0, contentEnd - p + lengthLie), spareLengthBytes), p);
    p = prepend(varint(number * 8 + wireType, spareTagBytes), p);
  }
  return p;
}

function prepend(bytes: readonly number[] | readonly WireField[], end: number): number {
  const start = end - bytes.length;
  for (let i = 0; i < bytes.length; i++) scratch[start + i] = bytes[i] as number;
  return start;
}

/** Returns the fields of a random message or group of the tree, possibly of the root. */
function someMessage(draw: Draw, tree: WireField[]): WireField[] {
  let fields = tree;
  while (!draw.oneIn(5)) {
    const { content } = draw.pick(fields);
    if (!isMessage(content)) break;
    fields = content;
  }
  return fields;
}

/** Valid field numbers that occur in no message of an Example or SequenceExample. */
const unknownNumbers = [4, 5, 15, 16, 2047, 2 ** 29 - 1];
/** Invalid field numbers. Those above 2^29 would become known numbers if their high bits were dropped. */
const wrongNumbers = [0, 2 ** 29, 2 ** 29 + 1, 2 ** 29 + 2, 2 ** 29 + 3];

/** Returns a field that is unknown to every message of an Example or SequenceExample. */
export function unknownField(draw: Draw): WireField {
  const number = draw.pick(unknownNumbers);
  switch (draw.below(5)) {
    case 0:
      return field(number, varint(draw.below(1000), draw.below(4)), 0);
    case 1:
      return field(number, draw.bytes(8), 1);
    case 2:
      return field(number, draw.bytes(draw.below(6)));
    case 3:
      return nestedGroup(number, draw.oneIn(4) ? 90 + draw.below(14) : draw.below(3));
    default:
      return field(number, draw.bytes(4), 5);
  }
}

function nestedGroup(number: number, depth: number): WireField {
  return field(number, depth === 0 ? [] : [nestedGroup(number, depth - 1)], 3);
}

/** Returns the fields of a random message that contains no messages. */
function innermost(draw: Draw, tree: WireField[]): WireField[] {
  let fields = tree;
  for (;;) {
    const inner = fields.filter(({ content }) => isMessage(content));
    if (inner.length === 0) return fields;
    fields = draw.pick(inner).content as WireField[];
  }
}

/** Removes the last byte of the content, so that the last field extends past the end. All outer lengths stay correct. */
export function cutEnd(target: WireField): void {
  target.content = [...(isMessage(target.content) ? writeFields(target.content) : target.content)].slice(
    0,
    -1,
  );
}

/** Makes one hostile edit to a tree. */
export function editTree(draw: Draw, tree: WireField[]): void {
  if (tree.length === 0) return;
  const siblings = someMessage(draw, tree);
  const at = draw.below(siblings.length);
  const target = siblings[at]!;
  switch (draw.below(16)) {
    case 0:
      target.lengthLie = draw.pick([-2, -1, -1, 1, 1, 1, 2, 127, 2 ** 28, 2 ** 31, 2 ** 32 - 1]);
      break;
    case 1:
      target.wireType = draw.below(8);
      break;
    case 2:
      target.number = draw.pick([1, 2, 3, 4, ...wrongNumbers]);
      break;
    case 3:
      target.spareTagBytes = 1 + draw.below(5);
      break;
    case 4:
      target.spareLengthBytes = 1 + draw.below(6);
      break;
    case 5:
      siblings.splice(draw.below(siblings.length + 1), 0, structuredClone(target));
      break;
    case 6:
      siblings.splice(at, 1);
      break;
    case 7:
      siblings.splice(at, 0, unknownField(draw));
      break;
    case 8:
      siblings.reverse();
      break;
    case 9:
      siblings.splice(at, 1, {
        ...field(target.number, [structuredClone(target)], 3),
        endNumber: draw.pick([null, 1, 2, target.number]),
      });
      break;
    case 10:
      siblings.push(structuredClone(draw.pick(someMessage(draw, tree))));
      break;
    case 11:
      // Makes the length of the last field of a message wrong. Only the end of the message reveals that.
      innermost(draw, tree).slice(-1)[0]!.lengthLie = draw.pick([-1, 1]);
      break;
    case 12:
    case 13:
      cutEnd(draw.pick(siblings.filter(({ content }) => isMessage(content)).concat(target)));
      break;
    default:
      // Adds or removes a byte in a leaf, or reverses fields. All outer lengths stay correct.
      if (isMessage(target.content)) target.content.reverse();
      else if (draw.oneIn(2))
        target.content.splice(draw.below(target.content.length + 1), 0, draw.pick([0, 1, 127, 128, 255]));
      else target.content.splice(draw.below(target.content.length + 1), 1);
  }
}
