package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;

/// A message that is sent many times, each with another [Stamp].
public final class StampedMessage {
  private final byte[] template;
  private final int stamp;

  private StampedMessage(byte[] template, int stamp) {
    this.template = template;
    this.stamp = stamp;
  }

  /// A message with a body of a length; a body is at least as long as its stamp.
  ///
  /// @param type such as `chat` or `groupchat`
  /// @param bodyBytes the length of the body in bytes
  public static StampedMessage to(String address, String type, int bodyBytes) {
    String begin = "<message type='" + type + "' to='" + address + "'><body>";
    String padding = "x".repeat(Math.max(0, bodyBytes - Stamp.LENGTH));
    String text = begin + " ".repeat(Stamp.LENGTH) + padding + "</body></message>";
    return new StampedMessage(
        text.getBytes(StandardCharsets.UTF_8), begin.getBytes(StandardCharsets.UTF_8).length);
  }

  /// The message with that stamp, in an array of its own.
  public byte[] with(Stamp mark) {
    byte[] bytes = template.clone();
    mark.write(bytes, stamp);
    return bytes;
  }

  /// The length of the message in bytes.
  public int length() {
    return template.length;
  }
}
