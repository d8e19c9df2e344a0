import { DEPTH, TAG_1, TAG_2 } from "./feature-scan.js";
import type { MessageScan } from "./message-scan.js";

/** Checks a whole message. Returns `end`, or -1 after setting the scan's `errorAt`. */
export type MessageCheck = (scan: MessageScan, start: number, end: number) => number;

/**
 * Reads the key and value of a map entry in every form that protobuf allows: fields in any order, repeated, or unknown. Checks
 * the whole value, so that nothing is appended from a malformed entry.
 */
export class EntryReader {
  /** Bounds of the name. They are equal if the entry has no key. */
  keyStart = 0;
  keyEnd = 0;
  /** Alternating starts and ends of the entry's values, which are messages to merge. Empty if the entry has none. */
  readonly values: number[] = [];

  constructor(private readonly checkValue: MessageCheck) {}

  /** Reads an entry. Returns false if it is malformed. The scan's `errorAt` is then the position of the error. */
  read(scan: MessageScan, start: number, end: number): boolean {
    this.keyStart = start;
    this.keyEnd = start;
    this.values.length = 0;
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      if (p < 0) return false;
      const tag = scan.value;
      if (tag !== TAG_1 && tag !== TAG_2) {
        p = scan.skip(tag, p, end, DEPTH.entry);
        if (p < 0) return false;
        continue;
      }
      p = scan.length(p, end);
      if (p < 0) return false;
      const fieldEnd = p + scan.value;
      if ((tag === TAG_1 ? scan.utf8(p, fieldEnd) : this.checkValue(scan, p, fieldEnd)) < 0) return false;
      if (tag === TAG_2) {
        this.values.push(p, fieldEnd);
      } else {
        this.keyStart = p;
        this.keyEnd = fieldEnd;
      }
      p = fieldEnd;
    }
    return true;
  }
}
