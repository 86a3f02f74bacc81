package im.zonda.app.federation;

import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The link of a domain of ours with another one, for administrators.
public record ServerLink(
    @Field(Field.NODE) @Nullable String node,
    @Field(value = "our domain", form = Form.DOMAIN) String local,
    @Field(value = "the other domain", form = Form.DOMAIN) String remote,
    @Field("connected, interrupted, connecting, waiting, or idle") String state,
    @Field("stanzas that wait for a stream") int waiting,
    @Field("stanzas that were sent and are not acknowledged") int unacknowledged,
    @Field(value = "the size of both", form = Form.BYTES) long bytes,
    @Field("when another attempt is made") @Nullable Instant retryAt,
    @Field("the last failure since a stanza was acknowledged, as a word") @Nullable String error,
    @Field("the same in words") @Nullable String errorText,
    @Field("the stream that carries it") @Nullable Stream stream) {
  private static final int MOST_CHARACTERS = 500;

  /// A stream with another server.
  public record Stream(
      @Field("whether the other server has opened it") boolean incoming,
      @Field("whether stanzas go both ways (XEP-0288)") boolean bidirectional,
      @Field("the address of the other server") String address,
      @Field("whether it is encrypted") boolean tls,
      @Field("how the other server has proved its domain; empty while it has not") String trust,
      @Field("whether stanzas are acknowledged (XEP-0198)") boolean acknowledged) {}

  /// The link with that status.
  static ServerLink of(RemoteLinkStatus link) {
    ServerStreamFailure failure = link.lastFailure();
    return new ServerLink(
        null,
        link.pair().local(),
        link.pair().remote(),
        stateOf(link),
        link.waiting(),
        link.unacknowledged(),
        link.bytes(),
        link.retryAt() == 0 ? null : Instant.ofEpochMilli(link.retryAt()),
        failure == null ? null : failure.reason().name().toLowerCase(Locale.ROOT),
        failure == null ? null : oneLine(failure.detail()),
        stream(link.stream()));
  }

  private static @Nullable Stream stream(ServerStreamLink.@Nullable Status stream) {
    return stream == null
        ? null
        : new Stream(
            stream.incoming(),
            stream.bidirectional(),
            stream.address(),
            stream.secure(),
            stream.trust(),
            stream.managed());
  }

  private static String stateOf(RemoteLinkStatus link) {
    ServerStreamLink.Status stream = link.stream();
    if (stream != null) {
      return stream.connected() ? "connected" : "interrupted";
    }
    if (link.connecting()) {
      return "connecting";
    }
    return link.waiting() > 0 ? "waiting" : "idle";
  }

  /// A text from another server must not look like lines of ours, nor control the terminal.
  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
        .limit(MOST_CHARACTERS)
        .forEach(line::appendCodePoint);
    return line.toString();
  }
}
