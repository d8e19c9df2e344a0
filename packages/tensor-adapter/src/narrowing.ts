
/**
 * What becomes of int64, uint64 and uint32 values, none of which TensorFlow.js has:
 * - `"int32"`: checked; a value outside int32 is `out-of-range`;
 * - `"float32"`: checked; a value that float32 cannot hold exactly is `out-of-range`;
 * - `"float32-lossy"`: rounded to float32;
 * - `"host"`: no tensor is made, the host column stays.
 */
export type Int64Policy = "int32" | "float32" | "float32-lossy" | "host";

/**
 * What becomes of float64 values, which TensorFlow.js does not have: as {@link Int64Policy}. NaN and infinities are exact.
 */
export type Float64Policy = "float32" | "float32-lossy" | "host";
