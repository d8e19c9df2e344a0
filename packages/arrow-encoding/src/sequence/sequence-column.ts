/** The column that TFX has feature lists in. @see tfx_bsl `tfxio.tf_sequence_example_record` */
export const DEFAULT_SEQUENCE_COLUMN = "##SEQUENCE##";
