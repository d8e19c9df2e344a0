import { loadDecode } from "#coders";
import type { PayloadDecoder } from "@tfxio/format";
import { assertRowOptions, type JsonRowOptions, ROW_DEFAULTS } from "./options.js";

/** Decodes records that are JSON objects. In Node, the parser is imported when a read is first planned, not with this module. */
export const jsonPayload: PayloadDecoder<JsonRowOptions> = {
  id: "json-object",
  defaults: ROW_DEFAULTS,
  reads: { rawRecordColumn: true },
  assertOptions: assertRowOptions,
  async plan(request, options) {
    const { planJson } = await loadDecode();
    return planJson(request, options);
  },
};
