import type { Format } from "@tfxio/format";
import { recordToTensor } from "../decoder/decoder-format.js";
import { standardFormats } from "../standard-formats.js";

/** Formats that a description names only by id, without a module, because every process with this package has them. */
export const describableFormats: readonly Format[] = [...standardFormats, recordToTensor];
