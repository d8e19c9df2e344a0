import { recordFormat, type WritableFormat } from "@tfxio/format";
import { jsonLines, jsonPayload } from "./jsonl.js";

const asText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : value;

/** JSON Lines that can also be written: lists of numbers and of text. */
export const writableJsonl: WritableFormat = recordFormat(jsonLines, jsonPayload, {
  id: "jsonl",
  columnForm: "lists",
  createWriter: async (target) => ({
    async write(batch) {
      const lines = batch.toArray().map((row) => `${JSON.stringify(row, asText)}\n`);
      await target.write(new TextEncoder().encode(lines.join("")));
    },
    finish: async () => {},
  }),
});
