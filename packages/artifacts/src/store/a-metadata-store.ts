import { isObject, membersOf, type Rule, rule } from "@tfxio/wire/checks";

/** A rule that accepts the stores that `openMetadataStore` returns. */
export const aMetadataStore: Rule = rule("a store that openMetadataStore opened", (value) => {
  const { artifacts, executions, events } = membersOf(value);
  return [artifacts, executions, events].every(isObject);
});
