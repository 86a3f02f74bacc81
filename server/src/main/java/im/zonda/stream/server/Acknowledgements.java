package im.zonda.stream.server;

import im.zonda.link.ack.AckCount;
import im.zonda.module.Xep;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Acknowledgements on a stream between servers (XEP-0198, section 4), the same for both sides. A
/// request is answered once all that came before it has been handled, but after a second at the
/// latest with what has been handled until then. Runs on the stream's thread.
@Xep(
    number = 198,
    version = "1.6.3",
    title = "Stream Management",
    note =
        "Between servers a stream is resumed over a connection that proves all its domains;"
            + " `location` is ignored.")
final class Acknowledgements {
  static final String NAMESPACE = "urn:xmpp:sm:3";

  /// The stream feature.
  static final Element FEATURE = Element.of(NAMESPACE, "sm");

  private static final Element REQUEST = Element.of(NAMESPACE, "r");
  private static final long ANSWER_MILLIS = 1_000;

  private final Stream stream;
  private final ServerLink link;
  private final long patience;

  private boolean asked;
  private long askedAt;
  private long askedAbout;
  private boolean owing;
  private long owingSince;

  Acknowledgements(Stream stream, ServerLink link, long patience) {
    this.stream = stream;
    this.link = link;
    this.patience = patience;
  }

  /// Handles `<r/>` or `<a/>`.
  void receive(String name, @Nullable String h) {
    switch (name) {
      case "r" -> requested();
      case "a" -> acknowledged(h);
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void requested() {
    if (!owing) {
      owing = true;
      owingSince = stream.transport().now();
    }
    link.await(stream, link.received(), this::allHandled);
  }

  private void allHandled() {
    if (owing && !stream.closed()) {
      owing = false;
      answer();
    }
  }

  /// Tells the other server how many of its stanzas have been handled.
  void answer() {
    stream.write(Element.builder(NAMESPACE, "a").attribute("h", handled(link)).build());
  }

  private void acknowledged(@Nullable String text) {
    long h = AckCount.unsignedInt(text);
    if (h < 0) {
      stream.fail(StreamErrorCondition.BAD_FORMAT, "no count");
      return;
    }
    asked = false;
    long count = link.countAcknowledged(h);
    if (count < 0) {
      rejectCount(stream, link, h);
      return;
    }
    link.acknowledge(count);
    if (link.hasUnacknowledged() && link.sent() > askedAbout) {
      ask();
    }
  }

  /// Ends the stream of a server that says to have more stanzas than were sent (section 6).
  static void rejectCount(Stream stream, ServerLink link, long h) {
    String sent = AckCount.onWire(link.sentManaged());
    stream.fail(
        StreamErrorCondition.UNDEFINED_CONDITION,
        "acknowledged " + h + " stanzas of " + sent,
        Element.builder(NAMESPACE, "handled-count-too-high")
            .attribute("h", Long.toString(h))
            .attribute("send-count", sent)
            .build());
  }

  /// How many stanzas of the other server have been handled, as it is sent.
  static String handled(ServerLink link) {
    return AckCount.onWire(link.handledSinceManaged());
  }

  /// Called before output is flushed.
  void flushing() {
    if (!asked && link.hasUnacknowledged()) {
      ask();
    }
  }

  /// Asks the other server for its count.
  void ask() {
    asked = true;
    askedAt = stream.peerTime();
    askedAbout = link.sent();
    stream.write(REQUEST);
  }

  /// Looks at the time; false if the other server has not answered for too long.
  boolean tick(long now) {
    if (owing && now - owingSince >= ANSWER_MILLIS) {
      owingSince = now;
      answer();
    }
    return !asked || stream.peerTime() - askedAt <= patience;
  }
}
