/** The modules that turn bytes into plans, loaded with the first plan. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** The modules that turn batches into bytes, loaded with the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
