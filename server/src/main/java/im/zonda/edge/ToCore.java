package im.zonda.edge;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.metric.TimingCounts;
import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Value that an edge sends to its core. The edge numbers the streams of its clients; a number is
/// free again after [Gone]. A core ignores kinds that its version does not know, as an edge does.
public sealed interface ToCore {
  /// The edge is alive and has nothing else to send: the core expects a frame now and then.
  record Alive() implements ToCore {}

  /// The client has sent a stream header. The first one of a number opens the stream. Answered by
  /// [ToEdge.Continue] once it has been handled; until then nothing follows on this stream.
  record Header(long stream, StreamHeader header, Facts facts) implements ToCore {}

  /// What the core must know of a client's connection.
  ///
  /// @param address the client's address
  /// @param secure whether the connection is encrypted
  /// @param exporter the channel binding data `tls-exporter` in hexadecimal digits; null if none
  /// @param endPoint the same of `tls-server-end-point`
  /// @param tlsVersion see [im.zonda.stream.StreamTransport#tlsVersion]
  record Facts(
      InetAddress address,
      boolean secure,
      @Nullable String exporter,
      @Nullable String endPoint,
      @Nullable String tlsVersion) {}

  /// The client has sent a first-level element before a resource is bound. Answered as [Header].
  record FirstLevel(long stream, Element element) implements ToCore {}

  /// A value of the link, from a stream that has moved to the edge.
  record Value(long stream, ToSession value) implements ToCore {}

  /// Continues a session whose stream the edge has kept while there was no connection to the core.
  /// Answered by a [ToEdge.Value] as a [ToSession.Resume] is.
  ///
  /// @param jid the full address
  /// @param ticket what [ToEdge.TakeOver] has given
  /// @param id the id of the session
  /// @param h the client's count of stanzas
  /// @param version see [ToSession.Resume#version]; without the count of handled stanzas, which an
  ///   edge does not send
  record Reattach(
      long stream, Jid jid, String ticket, String id, long h, @Nullable SessionVersion version)
      implements ToCore {}

  /// The core has no such session because it was killed: asks it to recover the session. As many
  /// [Unacknowledged] follow as are announced. Answered as [Reattach].
  ///
  /// @param state the last [ToEdge.State]
  /// @param proof that came with it, or later
  /// @param id the id of the session
  /// @param counts what was handled and acknowledged
  /// @param lastIds see [LostSession#lastIds]
  /// @param unacknowledged how many stanzas follow
  record Recover(
      long stream,
      Jid jid,
      String state,
      String proof,
      String id,
      LostSession.Counts counts,
      Map<Jid, String> lastIds,
      int unacknowledged)
      implements ToCore {
    /// Copies the map.
    public Recover {
      lastIds = Map.copyOf(lastIds);
    }
  }

  /// A stanza that the client has been sent and has not acknowledged; after [Recover].
  record Unacknowledged(long stream, LostSession.Sent sent) implements ToCore {}

  /// How long messages took from their arrival at the edge until they were written to clients,
  /// since it was last said to any core. For no stream.
  record Measured(TimingCounts times) implements ToCore {}

  /// The stream has ended, and its number is free. The last value on it.
  record Gone(long stream) implements ToCore {}
}
