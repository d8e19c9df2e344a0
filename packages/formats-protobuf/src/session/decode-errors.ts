import { type ErrorLocation, RecordError } from "@tfxio/wire";
import { DecodeStatus } from "../kernels/decode-status.js";
import { MAX_DEPTH } from "../kernels/typescript/frames.js";

/** The statuses that mean a damaged record. */
type Failure = Exclude<DecodeStatus, typeof DecodeStatus.ok | typeof DecodeStatus.batchTooLarge>;

/** For each status, the `reason` of the error, and the text after "found" in the error message. */
const FAILURES: Readonly<Record<Failure, readonly [reason: string, found: string]>> = {
  [DecodeStatus.truncated]: ["truncated", "bytes that end within a value or group"],
  [DecodeStatus.varint]: ["varint", "a varint of more than 10 bytes"],
  [DecodeStatus.tag]: ["tag", "field number 0 or a tag of more than 32 bits"],
  [DecodeStatus.wireType]: ["wire-type", "an undefined wire type (6 or 7)"],
  [DecodeStatus.group]: ["group", "an end tag without a matching start tag"],
  [DecodeStatus.depth]: ["depth", `messages or groups nested more than ${MAX_DEPTH} levels deep`],
};

/** Location and message type of a damaged record. */
export interface Damage {
  readonly status: DecodeStatus;
  readonly location: ErrorLocation;
  /** Full name of the record's type. */
  readonly typeName: string;
  /** Path of the damaged message; empty for the record itself. */
  readonly path: string;
}

export function malformedMessage({ status, location, typeName, path }: Damage): RecordError {
  const [reason, found] = FAILURES[status as Failure];
  const { uri, recordIndex, byteOffset } = location;
  const within = path === "" ? "" : ` in the field ${path}`;
  return new RecordError(
    "malformed-payload",
    `${uri}, record ${recordIndex} at byte ${byteOffset}: expected a well-formed ${typeName}, found ${found}${within}.`,
    { reason, ...location },
  );
}

/** Creates the error for a batch that exceeds 32-bit offsets or the available memory: `limit-exceeded` (`batch-too-large`). */
export function batchTooLarge(location: ErrorLocation, cause: unknown): RecordError {
  const { uri, recordIndex, byteOffset } = location;
  const where = uri === undefined ? "" : `${uri}, record ${recordIndex} at byte ${byteOffset}: `;
  return new RecordError(
    "limit-exceeded",
    `${where}The batch must not exceed 2^31 bytes or the available memory. Request smaller batches.`,
    { reason: "batch-too-large", ...location, cause },
  );
}
