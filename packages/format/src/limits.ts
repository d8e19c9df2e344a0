/** Bounds on what input may ask for, so that hostile or broken files fail instead of exhausting memory. */
export interface Limits {
  /** Largest single record in bytes. Default 1 GiB: above it, length fields are more likely damage than data. */
  readonly maxRecordBytes: number;
}

/** See {@link Limits} for the reasons. */
export const DEFAULT_LIMITS: Limits = { maxRecordBytes: 2 ** 30 };
