import { FeatureKind } from "../kernels.js";
import { MAX_DEPTH, type MessageScan } from "./message-scan.js";

/** Tag of a length-delimited field 1, such as `Example.features` or a list's `value`. It is the most frequent tag. */
export const TAG_1 = 0x0a;
/** Tag of a length-delimited field 2: an entry's value, `Feature.float_list`, and `SequenceExample.feature_lists`. */
export const TAG_2 = 0x12;
/** Tag of `Feature.int64_list`. */
const TAG_3 = 0x1a;
const TAG_1_VARINT = 0x08;
const TAG_1_FIXED32 = 0x0d;

/**
 * Maximum nesting of unknown groups inside each message: {@link MAX_DEPTH}, less one for each enclosing message. A Feature of an
 * Example has three enclosing messages: Example, Features and entry. A Feature inside a FeatureList has four.
 */
export const DEPTH: Readonly<Record<"record" | "map" | "entry" | "value" | "step", number>> = {
  record: MAX_DEPTH,
  map: MAX_DEPTH - 1,
  entry: MAX_DEPTH - 2,
  value: MAX_DEPTH - 3,
  step: MAX_DEPTH - 4,
};

/** Returns the kind of the list that a field of `tensorflow.Feature` holds, or `unset` for an unknown field. */
export function kindOfTag(tag: number): FeatureKind {
  return tag === TAG_1
    ? FeatureKind.bytes
    : tag === TAG_2
      ? FeatureKind.float
      : tag === TAG_3
        ? FeatureKind.int64
        : 0;
}

/** Returns true if a list of this kind stores values in a field with this tag. */
export function isValueTag(kind: FeatureKind, tag: number): boolean {
  return (
    tag === TAG_1 ||
    (tag === TAG_1_VARINT && kind === FeatureKind.int64) ||
    (tag === TAG_1_FIXED32 && kind === FeatureKind.float)
  );
}

/** Checks a whole `tensorflow.FeatureList`. Returns `end`, or -1 after setting the scan's `errorAt`. */
export function checkFeatureList(scan: MessageScan, start: number, end: number): number {
  let p = start;
  while (p < end) {
    p = scan.tag(p, end);
    if (p < 0) return -1;
    const tag = scan.value;
    if (tag === TAG_1) {
      p = scan.length(p, end);
      if (p >= 0) p = checkFeature(scan, p, p + scan.value, DEPTH.step);
    } else {
      p = scan.skip(tag, p, end, DEPTH.value);
    }
    if (p < 0) return -1;
  }
  return p;
}

/** Checks a whole `tensorflow.Feature`. Returns `end`, or -1 after setting the scan's `errorAt`. */
export function checkFeature(scan: MessageScan, start: number, end: number, depth: number): number {
  let p = start;
  while (p < end) {
    p = scan.tag(p, end);
    if (p < 0) return -1;
    const tag = scan.value;
    const kind = kindOfTag(tag);
    if (kind === FeatureKind.unset) {
      p = scan.skip(tag, p, end, depth);
    } else {
      p = scan.length(p, end);
      if (p >= 0) p = checkList(scan, kind, p, p + scan.value, depth - 1);
    }
    if (p < 0) return -1;
  }
  return p;
}

function checkList(scan: MessageScan, kind: FeatureKind, start: number, end: number, depth: number): number {
  let p = start;
  while (p < end) {
    p = scan.tag(p, end);
    if (p < 0) return -1;
    const tag = scan.value;
    if (tag !== TAG_1 || kind === FeatureKind.bytes) {
      p = scan.skip(tag, p, end, depth);
    } else {
      const at = p;
      p = scan.length(p, end);
      if (p < 0) return -1;
      const length = scan.value;
      if (kind === FeatureKind.int64) p = scan.varints(p, p + length);
      else p = length % 4 === 0 ? p + length : scan.fail(at);
    }
    if (p < 0) return -1;
  }
  return p;
}
