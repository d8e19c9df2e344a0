import { isTfxioError, type TfxioErrorCode } from "@tfxio/wire/errors";

// The codes are part of the public interface: see docs/guides/command.md.

/** The command succeeded. */
export const SUCCESS = 0;
/** The command succeeded, but found damage, drift or different schemas. */
export const UNSOUND = 1;
/** The command line is invalid. */
export const WRONG_USE = 2;
/** Exit codes by signal, as in shells: 128 plus the number of the signal. */
export const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;
/** A bug in this program: `EX_SOFTWARE` in sysexits.h. */
const DEFECT = 70;

/** 2: wrong use, 3: input or output, 4: damaged data, 5: schema or conversion, 6: not supported, 70: a bug. */
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

/** Returns the exit code for an error. An error that is not a TfxioError is a bug, with code 70. */
export function exitCodeOf(error: unknown): number {
  return isTfxioError(error) ? EXIT_CODES[error.code] : DEFECT;
}
