/** What turns bytes into rows, loaded with the first plan. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** What turns rows into bytes, loaded with the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
