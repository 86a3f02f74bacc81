package im.zonda.router;

import im.zonda.module.InboundFlow;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import org.jspecify.annotations.Nullable;

/// The way out of the server for one session: what a stream offers to its home. Any thread may
/// call; nothing blocks.
public interface Outbound extends InboundFlow {
  /// Sends a stanza after those sent before. `left` runs when its bytes have left to the client,
  /// and never if they have not. Once the stream has ended the call does nothing.
  void send(Stanza stanza, @Nullable Runnable left);

  /// Ends the stream with a stream error.
  void close(StreamErrorCondition condition, @Nullable String text);

  /// All that the client had asked about ([BoundSession#requested]) has been handled.
  void allHandled();
}
