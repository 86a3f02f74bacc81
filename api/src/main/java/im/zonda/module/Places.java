package im.zonda.module;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.function.Consumer;

/// The homes of the addresses under a service's domain.
///
/// @param <T> what lives at an address
public interface Places<T> {
  /// Runs `task` at a bare address, after all that was submitted for it before. Returns at once.
  ///
  /// @param mayBlock whether the task may block
  void at(Jid address, boolean mayBlock, Consumer<T> task);

  /// The same, if the address is open; else nothing is done and false returned.
  boolean ifOpen(Jid address, boolean mayBlock, Consumer<T> task);

  /// The addresses that are open now, in no order.
  List<Jid> open();
}
