/** What turns bytes into plans, loaded with the first one. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** What makes columns of records as they are, loaded with the first plan of them. */
export function loadRaw(): Promise<typeof import("./raw/plan-raw-records.js")> {
  return import("./raw/plan-raw-records.js");
}

/** What turns batches into bytes, loaded with the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}

/** What finds places to cut files at, loaded with the first file to be cut. */
export function loadCuts(): Promise<typeof import("./record-index/find-cuts.js")> {
  return import("./record-index/find-cuts.js");
}
