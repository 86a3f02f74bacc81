package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import org.jspecify.annotations.Nullable;

/// Filters IQs between accounts, requests and answers. Not called for requests of a client to its
/// own account or to a host of this server. Must not block.
@FunctionalInterface
public interface IqFilter {
  /// Decides on an IQ at `home`. A rejected IQ is answered only if it is a request.
  ///
  /// @param session the sending session at [HookPoint#SENT_BY_CLIENT], otherwise null
  Verdict filter(Iq iq, Home home, @Nullable Session session);
}
