package im.zonda.session;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The home of an account, as seen by code that runs in its mailbox. Only valid during the call
/// that received it.
public interface Home {
  /// The account's bare address.
  Jid jid();

  /// Whether the account is registered. The home of a guest (XEP-0175) has a session and no
  /// account: no state is kept with it, and nothing may be stored for it.
  boolean exists();

  /// The bound sessions, oldest first.
  List<? extends Session> sessions();

  /// The session of that resource, or null.
  @Nullable Session session(String resource);

  /// The value that a module keeps with the account.
  <T> T state(HomeKey<T> key);
}
