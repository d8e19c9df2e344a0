import { isTfxioError, type TfxioErrorCode } from "@tfxio/wire/errors";

export const SUCCESS = 0;
/** The command did its work, and what it looked at is not in order: damage, drift, schemas that differ. */
export const UNSOUND = 1;
/** The command line itself cannot be used. */
export const WRONG_USE = 2;
/** By signal, as shells have it: 128 and its number. */
export const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;
/** `EX_SOFTWARE` of sysexits.h: a defect of ours. */
const DEFECT = 70;

const EXIT_CODES: Readonly<Record<TfxioErrorCode, number>> = {
  "invalid-argument": WRONG_USE,
  "unknown-format": WRONG_USE,
  "not-found": 3,
  "io-failed": 3,
  "corrupt-record": 4,
  "truncated-record": 4,
  "malformed-payload": 4,
  "limit-exceeded": 4,
  "schema-required": 5,
  "schema-invalid": 5,
  "schema-mismatch": 5,
  "not-convertible": 5,
  "out-of-range": 5,
  "shape-mismatch": 5,
  unsupported: 6,
  "user-function": DEFECT,
};

/** Exit code for what a command threw. Documented in `docs/guides/command.md`. */
export function exitCodeOf(error: unknown): number {
  return isTfxioError(error) ? EXIT_CODES[error.code] : DEFECT;
}
