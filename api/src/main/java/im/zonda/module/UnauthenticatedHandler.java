package im.zonda.module;

import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Answers one kind of IQ request of clients that have not authenticated. May block.
@FunctionalInterface
public interface UnauthenticatedHandler {
  /// Answers the request. Requests of one client are answered one after the other.
  IqReply handle(Iq iq, Element payload, Client client);

  /// A client that has not authenticated, and what handlers keep of it while its stream lasts.
  interface Client {
    /// Its address.
    InetAddress address();

    /// The value of that class, or null.
    <T> @Nullable T get(Class<T> type);

    /// Keeps a value, in place of one of the same class.
    <T> void keep(Class<T> type, T value);

    /// Forgets the value of that class.
    void forget(Class<?> type);
  }
}
