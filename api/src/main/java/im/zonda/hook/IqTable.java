package im.zonda.hook;

import im.zonda.stanza.Iq;
import im.zonda.xml.QName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which handler answers which IQ requests, by their type and the name of their payload. Filled
/// while modules are installed; read by any thread afterwards.
///
/// @param <H> the type of handler
public final class IqTable<H> {
  private record Key(Iq.Type type, QName payload) {}

  private final Map<Key, H> handlers = new HashMap<>();

  /// Adds a handler.
  ///
  /// @throws IllegalStateException if there is one for the same requests
  public void add(Iq.Type type, QName payload, H handler) {
    if (handlers.putIfAbsent(new Key(type, payload), handler) != null) {
      throw new IllegalStateException("two handlers answer " + type + " of " + payload);
    }
  }

  /// The handler of such requests, or null.
  public @Nullable H find(Iq.Type type, QName payload) {
    return handlers.get(new Key(type, payload));
  }
}
