package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import org.jspecify.annotations.Nullable;

/// Looks at IQs that pass between accounts, requests and answers. What a client asks its own
/// account or a host of this server is not shown. Must not block.
@FunctionalInterface
public interface IqFilter {
  /// Judges an IQ at `home`; `session` is the sending session at [HookPoint#SENT_BY_CLIENT], else
  /// null. Only requests are answered when they are refused.
  Verdict filter(Iq iq, Home home, @Nullable Session session);
}
