package im.zonda.bench.scenario.occupant;

import im.zonda.bench.trace.MessageBodies;
import im.zonda.bench.xmpp.Markup;

/// The beginning of the body of a message of a trace: `~`, the number of the message, `.`, the
/// microseconds from when it was due to when it was given to the socket, and a space. Receivers
/// know the trace, so that the number says when the message was due and who sent it.
///
/// @param message its number in the trace
/// @param delayMicros the lateness of the generator
record CopyMark(int message, long delayMicros) {
  private static final String BODY = "<body>~";
  private static final int MAX_DIGITS = 12;

  /// The text of a body.
  ///
  /// @param bytes the length in UTF-8; a body is at least as long as its mark
  String body(int bytes) {
    return MessageBodies.text(message, "~" + message + "." + delayMicros + " ", bytes);
  }

  /// The number of the message of an element; -1 if the element has no mark.
  static int message(byte[] bytes, int from, int to) {
    int at = Markup.indexOf(bytes, from, to, BODY);
    if (at < 0) {
      return -1;
    }
    long number = number(bytes, at + BODY.length(), to, '.');
    return number > Integer.MAX_VALUE ? -1 : (int) number;
  }

  /// The lateness of the generator in an element with a mark; 0 if it cannot be read.
  static long delayMicros(byte[] bytes, int from, int to) {
    int at = Markup.indexOf(bytes, from, to, BODY);
    int dot = at < 0 ? -1 : Markup.indexOf(bytes, at, to, ".");
    return dot < 0 ? 0 : Math.max(0, number(bytes, dot + 1, to, ' '));
  }

  private static long number(byte[] bytes, int from, int to, char end) {
    long value = 0;
    for (int i = from; i < to && i <= from + MAX_DIGITS; i++) {
      if (bytes[i] == end && i > from) {
        return value;
      }
      if (bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      }
      value = value * 10 + (bytes[i] - '0');
    }
    return -1;
  }
}
