package im.zonda.module;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.function.Consumer;

/// The homes of the addresses under a service's domain.
///
/// @param <T> what lives at an address
public interface ServiceHomes<T> {
  /// Runs `task` at the home of a bare address, after everything submitted there before. Returns at
  /// once. Does nothing if the home is on another node of a cluster and not loaded here.
  ///
  /// @param mayBlock whether the task may block
  /// @throws IllegalStateException if the service has been withdrawn
  void submit(Jid address, boolean mayBlock, Consumer<T> task);

  /// Runs `task` as [#submit] does if the home is loaded; otherwise does nothing and returns false.
  boolean submitIfLoaded(Jid address, boolean mayBlock, Consumer<T> task);

  /// Whether the home of an address is on this node of a cluster, loaded or not.
  boolean isHere(Jid address);

  /// The addresses whose homes are loaded, in no order.
  List<Jid> addresses();

  /// Ends the service while the server runs. Its domain is free at once; stanzas that arrive later
  /// are answered with an error. What waits at its homes is still handled, then they are unloaded.
  void withdraw();
}
