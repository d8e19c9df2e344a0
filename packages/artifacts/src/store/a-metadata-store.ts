import { isObject, membersOf, type Rule, rule } from "@tfxio/wire/checks";

/** Accepts what `openMetadataStore` returns. */
export const aMetadataStore: Rule = rule("a store that openMetadataStore opened", (value) => {
  const { artifacts, executions, events } = membersOf(value);
  return [artifacts, executions, events].every(isObject);
});
