import * as decode from "./decode.js";
import * as encode from "./encode.js";
import * as cuts from "./record-index/find-cuts.js";
import * as raw from "./raw/plan-raw-records.js";

// Static, since bundlers make a chunk of what is imported late, and that chunk may import the application's entry. An entry
// that awaits a read at its top level would then wait for itself. Workers of one file could not have such chunks at all.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}

/** As in coders-node.ts. */
export function loadRaw(): Promise<typeof raw> {
  return Promise.resolve(raw);
}

/** As in coders-node.ts. */
export function loadCuts(): Promise<typeof cuts> {
  return Promise.resolve(cuts);
}
