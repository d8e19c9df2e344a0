/** The version of ML Metadata's schema that this package reads and writes. ml-metadata 1.12 to 1.17 use it. */
export const SCHEMA_VERSION = 10;

const id = "`id` INTEGER PRIMARY KEY AUTOINCREMENT";
const times =
  "`create_time_since_epoch` INT NOT NULL DEFAULT 0, `last_update_time_since_epoch` INT NOT NULL DEFAULT 0";
const externalId = "`external_id` VARCHAR(255) UNIQUE";
const values =
  "`int_value` INT, `double_value` DOUBLE, `string_value` TEXT, `byte_value` BLOB, `proto_value` BLOB, `bool_value` BOOLEAN";

function properties(owner: string): string {
  return `\`${owner}\` INT NOT NULL, \`name\` VARCHAR(255) NOT NULL, \`is_custom_property\` TINYINT(1) NOT NULL, ${values}, PRIMARY KEY (\`${owner}\`, \`name\`, \`is_custom_property\`)`;
}

/**
 * Column definitions of the 15 tables, by table name. The names, types and constraints equal those of ML Metadata's client,
 * which aborts if a table is missing.
 * @see `metadata_source_query_config.cc` of ML Metadata, schema version 10.
 */
export const TABLES: Readonly<Record<string, string>> = {
  Type: `${id}, \`name\` VARCHAR(255) NOT NULL, \`version\` VARCHAR(255), \`type_kind\` TINYINT(1) NOT NULL, \`description\` TEXT, \`input_type\` TEXT, \`output_type\` TEXT, ${externalId}`,
  ParentType:
    "`type_id` INT NOT NULL, `parent_type_id` INT NOT NULL, PRIMARY KEY (`type_id`, `parent_type_id`)",
  TypeProperty:
    "`type_id` INT NOT NULL, `name` VARCHAR(255) NOT NULL, `data_type` INT NULL, PRIMARY KEY (`type_id`, `name`)",
  Artifact: `${id}, \`type_id\` INT NOT NULL, \`uri\` TEXT, \`state\` INT, \`name\` VARCHAR(255), ${externalId}, ${times}, UNIQUE(\`type_id\`, \`name\`)`,
  ArtifactProperty: properties("artifact_id"),
  Execution: `${id}, \`type_id\` INT NOT NULL, \`last_known_state\` INT, \`name\` VARCHAR(255), ${externalId}, ${times}, UNIQUE(\`type_id\`, \`name\`)`,
  ExecutionProperty: properties("execution_id"),
  Context: `${id}, \`type_id\` INT NOT NULL, \`name\` VARCHAR(255) NOT NULL, ${externalId}, ${times}, UNIQUE(\`type_id\`, \`name\`)`,
  ContextProperty: properties("context_id"),
  ParentContext:
    "`context_id` INT NOT NULL, `parent_context_id` INT NOT NULL, PRIMARY KEY (`context_id`, `parent_context_id`)",
  Event: `${id}, \`artifact_id\` INT NOT NULL, \`execution_id\` INT NOT NULL, \`type\` INT NOT NULL, \`milliseconds_since_epoch\` INT, UNIQUE(\`artifact_id\`, \`execution_id\`, \`type\`)`,
  EventPath:
    "`event_id` INT NOT NULL, `is_index_step` TINYINT(1) NOT NULL, `step_index` INT, `step_key` TEXT",
  Association: `${id}, \`context_id\` INT NOT NULL, \`execution_id\` INT NOT NULL, UNIQUE(\`context_id\`, \`execution_id\`)`,
  Attribution: `${id}, \`context_id\` INT NOT NULL, \`artifact_id\` INT NOT NULL, UNIQUE(\`context_id\`, \`artifact_id\`)`,
  MLMDEnv: "`schema_version` INTEGER PRIMARY KEY",
};

/** The secondary indices that cover all rows of a table. Each entry holds the name of the index, its table and its columns. */
const INDICES: readonly (readonly [string, string, readonly string[]])[] = [
  ["idx_artifact_uri", "Artifact", ["uri"]],
  ["idx_event_execution_id", "Event", ["execution_id"]],
  ["idx_parentcontext_parent_context_id", "ParentContext", ["parent_context_id"]],
  ["idx_type_name", "Type", ["name"]],
  ["idx_eventpath_event_id", "EventPath", ["event_id"]],
  ...(["Artifact", "Execution", "Context"] as const).flatMap((table) =>
    ["create_time_since_epoch", "last_update_time_since_epoch"].map(
      (column) => [`idx_${table.toLowerCase()}_${column}`, table, [column]] as const,
    ),
  ),
  ...(["Type", "Artifact", "Execution", "Context"] as const).map(
    (table) => [`idx_${table.toLowerCase()}_external_id`, table, ["external_id"]] as const,
  ),
];

/** Statements that create one index per node kind and value type (int, double or string), for properties of that type. */
const PARTIAL_INDICES: readonly string[] = ["Artifact", "Execution", "Context"].flatMap((kind) =>
  ["int", "double", "string"].map((type) => {
    const value = `\`${type}_value\``;
    return `CREATE INDEX \`idx_${kind.toLowerCase()}_property_${type}\` ON \`${kind}Property\`(\`name\`, \`is_custom_property\`, ${value}) WHERE ${value} IS NOT NULL`;
  }),
);

/** The statements that create an empty store. Run them in one transaction. */
export const CREATE_STORE: string = [
  ...Object.entries(TABLES).map(([name, columns]) => `CREATE TABLE \`${name}\` (${columns})`),
  ...INDICES.map(
    ([name, table, columns]) =>
      `CREATE INDEX \`${name}\` ON \`${table}\`(${columns.map((column) => `\`${column}\``).join(", ")})`,
  ),
  ...PARTIAL_INDICES,
  `INSERT INTO \`MLMDEnv\` (\`schema_version\`) VALUES (${SCHEMA_VERSION})`,
].join(";\n");
