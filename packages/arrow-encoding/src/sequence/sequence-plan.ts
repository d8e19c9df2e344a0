import { type ColumnPath, type Feature, FeatureType } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { ColumnsPlan } from "@tfxio/wire/kernels";
import { type ExampleColumnOptions, planListed, unknownColumn } from "../example/example-plan.js";

/** Default name of the struct column that holds the feature lists. @see tfx_bsl `tfxio.tf_sequence_example_record` */
export const DEFAULT_SEQUENCE_COLUMN = "##SEQUENCE##";

/** The column plans of a kernel for the context and for the feature lists. */
export interface SequencePlans {
  readonly context: ColumnsPlan;
  readonly featureLists: ColumnsPlan;
}

/** Names of the requested context features and feature lists. */
interface Wanted {
  readonly context: readonly string[];
  readonly featureLists: readonly string[] | "all";
}

/**
 * Returns the column-selection parts of a kernel's plan. Throws the errors of {@link planListed}. Also throws `unknown-column`
 * for a path with too many steps, and `bad-schema-type` if the feature called `sequenceColumn` is not a STRUCT.
 */
export function planSequenceColumns(options: ExampleColumnOptions, sequenceColumn: string): SequencePlans {
  const { schema, columns, unlisted } = options;
  const wanted = columns === undefined ? undefined : wantedNames(columns, sequenceColumn);
  const lists = wanted === undefined || wanted.featureLists === "all" ? undefined : wanted.featureLists;
  if (schema === undefined) {
    return {
      context: wanted === undefined ? {} : { only: wanted.context },
      // If no feature list is requested, an empty `columns` omits the struct column. An empty `only` would keep it.
      featureLists: lists === undefined ? {} : lists.length === 0 ? { columns: [] } : { only: lists },
    };
  }
  const sequence = schema.feature.find(({ name }) => name === sequenceColumn);
  if (sequence === undefined && wanted !== undefined && wanted.featureLists.length > 0) {
    throw unknownColumn(sequenceColumn, "the schema");
  }
  const context = schema.feature.filter(({ name }) => name !== sequenceColumn);
  return {
    context: planListed(context, wanted?.context, unlisted, "the schema"),
    featureLists: planListed(fieldsOf(sequence), lists, unlisted, `the schema's struct "${sequenceColumn}"`),
  };
}

/** Separates the requested paths into context features and feature lists. */
function wantedNames(columns: readonly ColumnPath[], sequenceColumn: string): Wanted {
  const context = new Set<string>();
  const lists = new Set<string>();
  let isWhole = false;
  for (const path of columns) {
    const [name, list] = path.steps;
    const isSequence = name === sequenceColumn;
    if (name === undefined || path.length > (isSequence ? 2 : 1)) {
      const cause =
        name === undefined
          ? ""
          : `, because the only nested columns are the feature lists in "${sequenceColumn}"`;
      throw unknownColumn(path.toString(), `any tf.SequenceExample${cause}`);
    }
    if (!isSequence) context.add(name);
    else if (list === undefined) isWhole = true;
    else lists.add(list);
  }
  return { context: [...context], featureLists: isWhole ? "all" : [...lists] };
}

/** Returns the features inside the STRUCT feature; empty if the schema lacks it. */
function fieldsOf(sequence: Feature | undefined): readonly Feature[] {
  if (sequence === undefined) return [];
  if (sequence.type === FeatureType.STRUCT) {
    const { domainInfo } = sequence;
    return domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
  }
  const actual = FeatureType[sequence.type] ?? String(sequence.type);
  throw new SchemaError(
    "schema-invalid",
    `Feature "${sequence.name}" holds the feature lists, so its type must be STRUCT, found ${actual}.`,
    { reason: "bad-schema-type", columnPath: sequence.name, expected: "STRUCT", actual },
  );
}
