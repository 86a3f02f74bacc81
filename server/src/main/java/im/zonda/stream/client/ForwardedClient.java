package im.zonda.stream.client;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToStream;
import im.zonda.module.IdSource;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.bound.BoundStream;
import im.zonda.stream.bound.SessionLink;
import java.util.concurrent.Executor;
import java.util.function.Function;

/// A client's stream that another process negotiates, and that continues here once a resource is
/// bound.
public final class ForwardedClient {
  private final ClientStream client;
  private final Stream stream;

  private ForwardedClient(ClientStream client, Stream stream) {
    this.client = client;
    this.stream = stream;
  }

  /// What such streams have in common.
  ///
  /// @param workers runs what may block
  /// @param negotiations makes the negotiation of each stream
  public static StreamProfile profile(
      Limits limits,
      IdSource ids,
      Executor workers,
      Function<ForwardedClient, ClientNegotiation> negotiations) {
    return StreamContext.profile(
        limits,
        ids,
        workers,
        stream ->
            new ClientStream(
                stream, client -> negotiations.apply(new ForwardedClient(client, stream)), null));
  }

  /// The stream.
  public Stream stream() {
    return stream;
  }

  /// The stream gets its session: `answer`, which is [ToStream.Bound] or [ToStream.Resumed], is
  /// handled on the stream's thread, after what has been enqueued before. Any thread may call.
  ///
  /// @param domain the virtual host
  /// @param session gets the values of the stream
  /// @return the end of the link at the stream
  public StreamEnd takeOver(Jid domain, SessionEnd session, ToStream answer) {
    SessionLink link = SessionLink.of(client, session, (self, value) -> begin(domain, self, value));
    link.receive(answer);
    return link;
  }

  private void begin(Jid domain, SessionLink link, ToStream answer) {
    if (stream.closed()) {
      return; // the negotiation has ended the session
    }
    client.link(link);
    switch (answer) {
      case ToStream.Bound(var jid, var _, var enabled) -> {
        BoundStream live = client.bound(domain, link, jid);
        if (enabled != null) {
          live.managed(0, enabled.id() != null);
        }
      }
      case ToStream.Resumed(var jid, var _, var acknowledged, var _) ->
          client.bound(domain, link, jid).managed(acknowledged, true);
      default -> throw new IllegalStateException("no session: " + answer);
    }
  }
}
