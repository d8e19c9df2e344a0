/** Names and numbers of TFX's `example_gen_pb2.PayloadFormat`. */
export const PAYLOAD_FORMATS = {
  FORMAT_UNSPECIFIED: 0,
  FORMAT_TF_EXAMPLE: 6,
  FORMAT_TF_SEQUENCE_EXAMPLE: 7,
  FORMAT_PROTO: 11,
  FORMAT_PARQUET: 15,
} as const;
/** Encoding of the records of Examples. */
export type PayloadFormat = keyof typeof PAYLOAD_FORMATS;

/** Names and numbers of TFX's `example_gen_pb2.FileFormat`. Older versions of TFX write the name `tfrecords_gzip`. */
export const FILE_FORMATS = { FORMAT_TFRECORDS_GZIP: 5, FILE_FORMAT_PARQUET: 16, tfrecords_gzip: 5 } as const;
/** Container format of the files of Examples. */
export type FileFormat = keyof typeof FILE_FORMATS;
