package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The queues of messages for other servers, one for each pair of a domain served here and a remote
/// domain. A queue owns messages in the log like an account does; its address has the form
/// `local-domain/remote-domain`, which no account or room has. Calls block.
public interface RemoteQueueStore {
  /// The address of a queue.
  ///
  /// @param local the domain served here
  /// @param remote the remote domain
  static Jid address(String local, String remote) {
    return Jid.of(null, local, remote);
  }

  /// Creates the queue unless it exists; durable when the call returns.
  ///
  /// @throws IllegalArgumentException if the address is not that of a queue
  void create(Jid queue);

  /// Removes the queue unless messages wait in it; durable when the call returns.
  ///
  /// @return false if messages wait in it
  boolean remove(Jid queue);

  /// Addresses of the queues of a domain served here, in the order of the remote domains.
  ///
  /// @param after the remote domain after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  List<Jid> list(String local, @Nullable String after, int limit);
}
