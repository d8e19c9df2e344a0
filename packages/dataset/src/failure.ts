/** Takes the place of an element that could not be made; the iterator throws `error` there. */
export class Failure {
  constructor(readonly error: unknown) {}
}
