package im.zonda.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations that exist at present. Any thread may call; what modules offer may change between
/// calls.
public interface Catalogue {
  /// Everything that is offered: by the server, and by the modules of all hosts, each name once.
  List<Operation<?, ?>> operations();

  /// What is offered by the server under a name, or else by a host; null if nothing is.
  ///
  /// @param host the host that the operation is about; null if it is about the server
  @Nullable Offer<?, ?> find(String name, @Nullable String host);

  /// The host that has a domain: itself, or one of whose services has it; null if none has.
  @Nullable String hostOf(String domain);
}
