import { isSpace } from "../parse/json-cursor.js";

/** The byte order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

/** Returns the length in bytes of the byte order mark at the start of a file, or 0 if it has none. */
export function markLength(head: Uint8Array): number {
  return MARK.every((byte, index) => head[index] === byte) ? MARK.length : 0;
}

/**
 * Returns the position of the first byte that is neither white space nor part of the byte order mark. Returns -1 if `head` has
 * no such byte, or ends within the byte order mark.
 */
export function firstPosition(head: Uint8Array): number {
  const isMarkCut = head.length < MARK.length && head[0] === MARK[0];
  return isMarkCut ? -1 : head.findIndex((byte, index) => index >= markLength(head) && !isSpace(byte));
}
