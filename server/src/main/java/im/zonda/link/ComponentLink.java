package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import org.jspecify.annotations.Nullable;

/// The stream of an external component (XEP-0114) that has authenticated, as the home of its domain
/// sees it. Any thread may call; calls after the end do nothing.
public interface ComponentLink extends InboundFlow {
  /// The component's domain.
  Jid domain();

  /// Sends a stanza, after those that were sent before.
  ///
  /// @param number rises from stanza to stanza; comes back in [ComponentGate#written]
  /// @param since [im.zonda.module.Origin#since] of a message, for measurement; or 0
  void deliver(Stanza stanza, long number, long since);

  /// Ends the stream with a stream error.
  void close(StreamErrorCondition condition, @Nullable String text);
}
