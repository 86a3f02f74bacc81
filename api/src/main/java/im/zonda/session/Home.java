package im.zonda.session;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The one place that owns an account, as seen by what runs in its mailbox. Never kept or used
/// outside a call that received it.
public interface Home {
  /// The account's bare address.
  Jid jid();

  /// Whether the account is registered.
  boolean exists();

  /// The bound sessions, oldest first.
  List<? extends Session> sessions();

  /// The session of that resource, or null.
  @Nullable Session session(String resource);

  /// What a module keeps with the account, loaded together with the home.
  <T> T state(HomeKey<T> key);
}
