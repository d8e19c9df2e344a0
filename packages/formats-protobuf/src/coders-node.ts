/** What turns bytes into plans, loaded with the first one. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}
