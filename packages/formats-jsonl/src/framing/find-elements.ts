import type { FindRecords, FoundRecords } from "@tfxio/format/containers";
import { RecordError, type TfxioError } from "@tfxio/wire";
import { byteText, isSpace } from "../parse/json-cursor.js";
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST } from "../parse/skip-value.js";
import { ElementEnd } from "./element-end.js";
import { markLength } from "./first-byte.js";

/**
 * The token that may come next. `"array"` stands for `[`, `"first"` for an element or `]`, `"element"` for an element, and
 * `"separator"` for a comma or `]`. After `"nothing"`, only white space may follow.
 */
type Expected = "array" | "first" | "element" | "separator" | "nothing";

/** Finds the elements of one JSON array. */
export interface ElementFinder {
  readonly find: FindRecords;
  /** @throws {RecordError} `truncated-record` (`record-end`) if the end of the array has not been read. */
  assertEnded(): void;
}

/**
 * Creates a finder that locates the elements of a JSON array by their brackets and quotes. It does not check their content. The
 * finder keeps its state between calls, so it scans each byte of an element only once. Use a new finder for each read.
 * @param start Offset of the first byte of the read: 0, or the start or end of an element.
 */
export function createElementFinder(uri: string, start: number): ElementFinder {
  const element = new ElementEnd();
  let expected: Expected = start === 0 ? "array" : "separator";
  let endOffset = start;
  let nextIndex = 0;

  const find: FindRecords = (bytes, { byteOffset, recordIndex, numSearched }) => {
    const starts: number[] = [];
    const ends: number[] = [];
    let first = 0;
    let at = element.isOpen ? numSearched : byteOffset === 0 ? markLength(bytes) : 0;
    const found = (consumed: number, error?: TfxioError): FoundRecords => {
      endOffset = byteOffset + at;
      nextIndex = recordIndex + starts.length;
      const bounds = { starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
      return { numRecords: starts.length, ...bounds, consumed, error };
    };
    const malformed = (wanted: string): FoundRecords => {
      const place = { uri, recordIndex: recordIndex + starts.length, byteOffset: byteOffset + at };
      const character = byteText(bytes[at]!);
      const message = `${uri}, record ${place.recordIndex} at byte ${place.byteOffset}: expected ${wanted}, found ${character}.`;
      return found(at, new RecordError("malformed-payload", message, { reason: "json-syntax", ...place }));
    };

    /** Returns the elements found so far. Consumes no bytes after the last element, because a later read may begin at its end. */
    const foundElements = (): FoundRecords => {
      expected = "separator";
      return found(ends.at(-1)!);
    };

    for (;;) {
      if (element.isOpen) {
        at = element.find(bytes, at);
        if (element.isOpen) return found(first);
        starts.push(first);
        ends.push(at);
        expected = "separator";
      }
      while (at < bytes.length && isSpace(bytes[at]!)) at++;
      if (at === bytes.length) return starts.length > 0 ? foundElements() : found(at);
      const byte = bytes[at]!;
      const mayBegin = expected === "first" || expected === "element" || byteOffset + at === start;
      if (expected === "array") {
        if (byte !== OPEN_LIST) return malformed('"[", which begins an array');
        expected = "first";
        at++;
      } else if (expected === "nothing") {
        return malformed("the end of the input after the array");
      } else if (byte === CLOSE_LIST && expected !== "element") {
        if (starts.length > 0) return foundElements();
        expected = "nothing";
        at++;
      } else if (byte === COMMA && expected === "separator") {
        expected = "element";
        at++;
      } else if (!mayBegin) {
        return malformed('"," or "]"');
      } else if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        return malformed("an element");
      } else {
        first = at;
        element.open();
      }
    }
  };

  return {
    find,
    assertEnded() {
      if (expected === "nothing") return;
      const place = { uri, recordIndex: nextIndex, byteOffset: endOffset };
      const missing = expected === "array" ? '"[" that begins an array' : '"]" that closes its array';
      const message = `${uri} ends at byte ${endOffset} before the ${missing}.`;
      throw new RecordError("truncated-record", message, { reason: "record-end", ...place });
    },
  };
}
