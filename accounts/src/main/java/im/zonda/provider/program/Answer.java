package im.zonda.provider.program;

/// The outcome of a question to a process.
enum Answer {
  YES("yes"),
  NO("no"),
  /// The question was not sent.
  AWAY("the program does not run"),
  /// It ended before it answered.
  ENDED("the program has ended without an answer"),
  LATE("the program has not answered in time"),
  /// The question was not sent: its answer could not be distinguished from earlier output.
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
