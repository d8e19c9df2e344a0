// Result of decoding a record: `DecodeStatus` of src/kernels/decode-status.ts.

export const OK: u32 = 0;
export const TRUNCATED: u32 = 1;
export const VARINT: u32 = 2;
export const TAG: u32 = 3;
export const WIRE_TYPE: u32 = 4;
export const GROUP: u32 = 5;
export const DEPTH: u32 = 6;
export const BATCH_TOO_LARGE: u32 = 7;
