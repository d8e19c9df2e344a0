import type { Artifact, ArtifactState, Properties } from "@tfxio/artifacts";

/** An artifact as it appears in a test vector. */
export interface ArtifactJson {
  // `gcContext`, `dataViewUri` and `external` are shorthands for custom properties, and `splitNames` is a shorthand for the
  // property `split_names`.
  readonly id?: number;
  readonly type: string;
  readonly uri: string;
  readonly state?: ArtifactState;
  readonly splitNames?: readonly string[];
  readonly gcContext?: readonly string[];
  readonly dataViewUri?: string;
  readonly external?: boolean;
  readonly customProperties?: Readonly<Record<string, { readonly string?: string; readonly int?: string }>>;
}

/**
 * Returns the artifact that a metadata store would return for `json`.
 * @param index If `json` has no id, the id is `index + 1`.
 */
export function artifactOf(json: ArtifactJson, index: number): Artifact {
  const { type, uri, state, splitNames, gcContext, dataViewUri, external = false } = json;
  const custom = Object.entries(json.customProperties ?? {}).map(
    ([name, { string, int }]) => [name, string ?? BigInt(int ?? 0)] as const,
  );
  const customProperties: Properties = {
    ...Object.fromEntries(custom),
    ...(gcContext === undefined ? {} : { gc_context: JSON.stringify({ v: 1, uris: gcContext }) }),
    ...(dataViewUri === undefined ? {} : { data_view_uri: dataViewUri }),
    ...(external ? { is_external: 1n } : {}),
  };
  return {
    id: json.id ?? index + 1,
    typeId: 1,
    type,
    uri,
    state,
    properties: splitNames === undefined ? {} : { split_names: JSON.stringify(splitNames) },
    customProperties,
    createTimeMs: 0,
    lastUpdateTimeMs: 0,
  };
}
