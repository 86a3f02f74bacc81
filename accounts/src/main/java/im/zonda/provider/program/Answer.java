package im.zonda.provider.program;

/// The outcome of a question to a process.
enum Answer {
  YES("yes"),
  NO("no"),
  /// It was not asked.
  AWAY("the program does not run"),
  /// It ended before it answered.
  ENDED("the program has ended without an answer"),
  LATE("the program has not answered in time"),
  /// It was not asked: the answer could not be told from what it had written before.
  UNASKED("the program has written an answer without being asked"),
  WRONG("the program has not answered with 00 02 00 00 or 00 02 00 01");

  private final String text;

  Answer(String text) {
    this.text = text;
  }

  /// In words, for administrators.
  String text() {
    return text;
  }
}
