import { QUOTE } from "../parse/copy-string.js";
import { isSpace } from "../parse/json-cursor.js";
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT } from "../parse/skip-value.js";

const BACKSLASH = 0x5c;

/** Finds the end of one JSON value, whose bytes may arrive in several pieces. */
export class ElementEnd {
  /** True while a value has begun but not ended. */
  isOpen = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Begins a new value. */
  open(): void {
    this.isOpen = true;
    this.#depth = 0;
    this.#isInString = this.#isEscaped = false;
  }

  /**
   * Continues the search from `start`.
   * @returns the end of the value, exclusive, or the length of the bytes if the value is still open.
   */
  find(bytes: Uint8Array, start: number): number {
    let at = start;
    for (; at < bytes.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(bytes, at);
        if (this.#isInString || this.#depth > 0) continue;
        this.isOpen = false;
        return at + 1;
      }
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        const isOwn = this.#depth > 0;
        if (isOwn && --this.#depth > 0) continue;
        this.isOpen = false;
        // A closing bracket after a number or a word belongs to the array around it.
        return isOwn ? at + 1 : at;
      } else if (this.#depth === 0 && (byte === COMMA || isSpace(byte))) {
        this.isOpen = false;
        return at;
      }
    }
    return Math.min(at, bytes.length);
  }

  /** Returns the position of the quote that ends a string, or the length of the bytes if the string is still open. */
  #endOfString(bytes: Uint8Array, start: number): number {
    let isEscaped = this.#isEscaped;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        break;
      }
    }
    this.#isEscaped = isEscaped;
    return at;
  }
}
