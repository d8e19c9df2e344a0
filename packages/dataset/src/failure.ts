/** Takes the place of an element that could not be made; the iterator throws `error` there and can go on. */
export class Failure {
  constructor(readonly error: unknown) {}
}
